import assert from 'node:assert';
import { otpRules } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { consumeOtpOfAny, issueOtp } from '../codes/one-time-password.ts';
import { resetCodesEmail } from '../core/emails.ts';
import { type LoginId, readLoginId } from '../core/login-id.ts';
import {
  findMemberWithPassword,
  findVerified,
  listMembersByLogin,
  lockForChange,
  type Member,
} from '../members/members.ts';
import { auditOwn } from '../owner.ts';
import { clearAttempts, findWait } from '../sign-in/attempts.ts';
import { findDevice, findDeviceOfLogin, rememberDevice, type SentDevices } from '../sign-in/device-tokens.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { claimStrangerTry, uncountStrangerTry } from '../sign-in/guesses.ts';
import { replacePassword } from './change-password.ts';
import { refuseWeakPassword } from './password-guesser.ts';
import { hashPassword } from './passwords.ts';
import {
  claimResetRequest,
  deleteResetToken,
  findResetToken,
  insertResetToken,
  upsertResetRequest,
  type WaitingReset,
} from './reset-sql.ts';

/**
 * *Forgot Password*, first half: writes down what was typed, and nothing else. The account is looked up by a job
 * afterwards (`answerResetRequests`), so neither reply nor timing can tell whether there is one. Repeated within a
 * minute it tells the times of the first request. With a token of the asking page it is a request of its own: what others
 * ask and try for the same account does not touch it.
 */
export async function requestReset(
  context: Context,
  input: AskedBy & { readonly loginId: string },
): Promise<{ expiresAt: Date; resendAt: Date }> {
  const now = context.now();
  const login = readLoginId(input.loginId).value;
  return upsertResetRequest(context.db, {
    requestHash: hashToken(input.requestToken === undefined ? login : `${login}\n${input.requestToken}`),
    tokenHash: hashOf(input.requestToken),
    devices: input.devices ?? [],
    loginId: login,
    address: input.address,
    now,
    resendAt: new Date(now.getTime() + otpRules.resendSeconds * 1000),
    expiresAt: new Date(now.getTime() + otpRules.ttlMinutes * 60_000),
  });
}

type AskedBy = {
  /** What the asking page made; without it all who ask for this login share one request. */
  readonly requestToken?: string | undefined;
  readonly devices?: SentDevices | undefined;
  readonly address: string;
};

const hashOf = (requestToken: string | undefined): Buffer =>
  requestToken === undefined ? Buffer.alloc(0) : hashToken(requestToken);

/**
 * *Forgot Password*, second half, a job to run right before emails are sent: emails a code to the account that was
 * meant, or by email address one email with a code for each account of it, beside its id. Each request is one transaction, so it is answered
 * once whatever stops the job; requests that waited longer than a code lives are dropped.
 *
 * @returns how many requests were taken
 */
export async function answerResetRequests(context: Context): Promise<number> {
  let taken = 0;
  while (await inTransaction(context.db, (tx) => answerNext(context, tx))) taken += 1;
  return taken;
}

async function answerNext(context: Context, tx: Tx): Promise<boolean> {
  const request = await claimResetRequest(tx);
  if (request === undefined) return false;
  if (request.expiresAt <= context.now()) return true;
  const members = await listMembersByLogin(tx, readLoginId(request.loginId));
  const issued: Issued[] = [];
  for (const member of members) {
    const code = await issueCode(context, tx, member, request);
    if (code !== undefined) issued.push({ member, code });
  }
  if (issued.length > 0) await emailCodes(context, tx, issued, request);
  return true;
}

type Issued = { readonly member: Member; readonly code: string };

/** Undefined while the member has to wait for the next code. */
async function issueCode(context: Context, tx: Tx, { id }: Member, request: WaitingReset): Promise<string | undefined> {
  const now = context.now();
  const { devices, resendAt, expiresAt } = request;
  const deviceId = await findDevice(tx, { memberId: id }, devices, { secret: 'password', now });
  const wait =
    deviceId === undefined
      ? await findWait(tx, 'reset_code', id.toString(), now)
      : await findWait(tx, 'device_reset_code', deviceId.toString(), now);
  if (wait !== undefined) return undefined;
  const requestHash = Buffer.from(request.tokenHash);
  return issueOtp(tx, { memberId: id, purpose: 'reset_password', requestHash, details: '', resendAt, expiresAt, now });
}

/** One email, however many accounts its address has. */
async function emailCodes(context: Context, tx: Tx, issued: readonly Issued[], request: WaitingReset): Promise<void> {
  const [first, ...others] = issued.map(({ member }) => member);
  assert(first !== undefined, 'a mail carries a code');
  const codes = issued.map(({ member, code }) => ({ referralCode: member.referralCode, code }));
  const ids = issued.map(({ member }) => member.id);
  const verified = await findVerified(tx, ids);
  // Of several accounts it is of the one that verified the address, with which it is forgotten.
  const memberId = verified ?? (others.length === 0 ? first.id : undefined);
  await queueEmail(tx, {
    ...(memberId === undefined ? {} : { memberId }),
    to: { name: first.name, address: first.email },
    ...(verified === undefined ? { kind: 'reset' as const } : {}),
    ...resetCodesEmail(context.config.brandName, codes, request.expiresAt),
  });
  for (const { member } of issued) {
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'member.mail_reset_code',
      subject: `member:${member.id}`,
      address: request.address,
    });
  }
}

const TOKEN_LIFE_MS = 15 * 60_000;

type Input = AskedBy & { readonly loginId: string; readonly otp: string };
type Outcome = { readonly token: string } | { readonly retryAfterSeconds: number } | undefined;

/**
 * Trades an emailed code for a token that sets a new password once, within 15 minutes. By email address the code of any
 * of its accounts is taken, and counts for that account only. A code that was asked for with a token is found, and tried, with
 * that token alone. Tries are counted and then refused, never rolled back; those of unknown devices over all accounts as well.
 * Refusals: `wrong_otp` whatever was wrong, `too_many_requests`.
 */
export async function verifyResetOtp(context: Context, input: Input): Promise<string> {
  const { db } = context;
  const login = readLoginId(input.loginId);
  const now = context.now();
  const isKnown = (await findDeviceOfLogin(db, login, input.devices ?? [], now)) !== undefined;
  const stranger = isKnown ? undefined : await claimStrangerTry(db, input.address, now);
  if (stranger !== undefined && 'retryAfterSeconds' in stranger) throw new Refused('too_many_requests', stranger);
  const outcome = await inTransaction(db, (tx) => tryCode(context, tx, login, input));
  if (outcome !== undefined && 'token' in outcome && stranger !== undefined) await uncountStrangerTry(db, stranger);
  if (outcome === undefined) throw new Refused('wrong_otp');
  if ('retryAfterSeconds' in outcome) throw new Refused('too_many_requests', outcome);
  return outcome.token;
}

async function tryCode(context: Context, tx: Tx, login: LoginId, input: Input): Promise<Outcome> {
  const now = context.now();
  const requestHash = hashOf(input.requestToken);
  const account = `${login.value}\n${requestHash.toString('hex')}`;
  const retryAfterSeconds = await findWait(tx, 'reset_otp', account, now);
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds };
  const memberIds = (await listMembersByLogin(tx, login)).map((member) => member.id);
  const tried = { memberIds, purpose: 'reset_password', requestHash, details: '', otp: input.otp, now } as const;
  const memberId = await consumeOtpOfAny(tx, tried);
  if (memberId === undefined) return undefined;
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
  await insertResetToken(tx, { tokenHash: hashToken(token), memberId, expiresAt });
  await clearAttempts(tx, 'reset_otp', account);
  await auditOwn(tx, { memberId }, 'member.verify_reset_code', { address: input.address });
  return { token };
}

/**
 * Sets a new password with the token of a verified code; all sessions end. The token works once: of two requests at
 * the same moment one is refused. A password that is too weak leaves it usable. Refusals: `wrong_reset_token`,
 * `weak_password`.
 *
 * The browser is known from here on, so that who was kept out by the wrong passwords of others signs in with the new one: it
 * has a count of its own, while a count of strangers that only began again would be used up at once. Who has the mailbox and
 * no second factor gains nothing against that one: only a whole sign-in makes the device known for codes.
 *
 * @returns the Registered Id, and the token of the browser
 */
export async function resetPassword(
  context: Context,
  input: {
    readonly resetToken: string;
    readonly password: string;
    readonly address: string;
    readonly devices?: SentDevices | undefined;
  },
): Promise<{ readonly referralCode: string; readonly deviceToken: string }> {
  const tokenHash = hashToken(input.resetToken);
  const memberId = await findResetToken(context.db, tokenHash, context.now());
  const member = memberId === undefined ? undefined : await findMemberWithPassword(context.db, memberId);
  if (member === undefined) throw new Refused('wrong_reset_token');
  await refuseWeakPassword(input.password, member);
  const newHash = await hashPassword(input.password);
  const { ended, deviceToken } = await inTransaction(context.db, async (tx) => {
    // Before the token, as everybody does who ends tokens: two with tokens of their own would wait for each other.
    if ((await lockForChange(tx, member.id, member.passwordHash)) === undefined) throw new Refused('wrong_reset_token');
    if (!(await deleteResetToken(tx, tokenHash, context.now()))) throw new Refused('wrong_reset_token');
    const { devices = [] } = input;
    const of = { secret: 'second_factor', now: context.now() } as const;
    const wasFull = (await findDevice(tx, { memberId: member.id }, devices, of)) !== undefined;
    const change = { newHash, keepSession: null, action: 'member.reset_password', address: input.address } as const;
    const hashes = await replacePassword(context, tx, member, change);
    if (hashes === undefined) throw new Refused('wrong_reset_token');
    const given = { devices: [], isFull: wasFull, now: context.now() };
    const { token } = await rememberDevice(tx, { memberId: member.id }, given);
    assert(token !== undefined, 'all devices before were made unknown');
    return { ended: hashes, deviceToken: token };
  });
  evictCallers(context, ended);
  return { referralCode: member.referralCode, deviceToken };
}
