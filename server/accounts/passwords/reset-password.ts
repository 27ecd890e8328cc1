import assert from 'node:assert';
import { otpRules } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueEmail } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { issueOtp, spendOtp } from '../codes/one-time-password.ts';
import { resetCodesEmail } from '../core/emails.ts';
import { readLoginId } from '../core/login-id.ts';
import { findMemberWithPassword, listMembersByLogin, type Member } from '../members/member-sql.ts';
import { auditOwn } from '../owner.ts';
import { hashToken, makeToken } from '../secrets.ts';
import { findWait, forgetAttempts } from '../sign-in/attempts.ts';
import { forgetCallers } from '../sign-in/find-caller.ts';
import { replacePassword } from './change-password.ts';
import { refuseWeakPassword } from './password-guesser.ts';
import { hashPassword } from './passwords.ts';
import {
  claimResetRequest,
  deleteResetToken,
  findResetToken,
  insertResetToken,
  upsertResetRequest,
} from './reset-sql.ts';

/**
 * *Forgot Password*, first half: writes down what was typed, and nothing else. The account is looked up by a job
 * afterwards (`answerResetRequests`), so neither reply nor timing can tell whether there is one. Repeated within a
 * minute it tells the times of the first request.
 */
export async function requestReset(
  context: Context,
  input: { readonly loginId: string; readonly address: string },
): Promise<{ expiresAt: Date; resendAt: Date }> {
  const now = context.now();
  const login = readLoginId(input.loginId).value;
  return upsertResetRequest(context.db, {
    loginHash: hashToken(login),
    loginId: login,
    address: input.address,
    now,
    resendAt: new Date(now.getTime() + otpRules.resendSeconds * 1000),
    expiresAt: new Date(now.getTime() + otpRules.ttlMinutes * 60_000),
  });
}

type Claimed = { readonly address: string; readonly resendAt: Date; readonly expiresAt: Date };

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
async function issueCode(context: Context, tx: Tx, { id }: Member, request: Claimed): Promise<string | undefined> {
  const now = context.now();
  if ((await findWait(tx, 'reset_code', id.toString(), now)) !== undefined) return undefined;
  const { resendAt, expiresAt } = request;
  return issueOtp(tx, { memberId: id, purpose: 'reset_password', details: '', resendAt, expiresAt, now });
}

/** One email, however many accounts its address has. */
async function emailCodes(context: Context, tx: Tx, issued: readonly Issued[], request: Claimed): Promise<void> {
  const [first, ...others] = issued.map(({ member }) => member);
  assert(first !== undefined, 'a mail carries a code');
  const codes = issued.map(({ member, code }) => ({ referralCode: member.referralCode, code }));
  await queueEmail(tx, {
    ...(others.length === 0 ? { memberId: first.id } : {}),
    to: { name: first.name, address: first.email },
    kind: 'reset',
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

type Input = { readonly loginId: string; readonly otp: string; readonly address: string };
type Outcome = { readonly token: string } | { readonly retryAfterSeconds: number } | undefined;

/**
 * Trades an emailed code for a token that sets a new password once, within 15 minutes. By email address the code of any
 * of its accounts is taken, and counts for that account only. Tries are counted and then refused, never rolled back.
 * Refusals: `wrong_otp` whatever was wrong, `too_many_requests`.
 */
export async function verifyResetOtp(context: Context, input: Input): Promise<string> {
  const outcome = await inTransaction(context.db, (tx) => tryCode(context, tx, input));
  if (outcome === undefined) throw new Refused('wrong_otp');
  if ('retryAfterSeconds' in outcome) throw new Refused('too_many_requests', outcome);
  return outcome.token;
}

async function tryCode(context: Context, tx: Tx, input: Input): Promise<Outcome> {
  const now = context.now();
  const login = readLoginId(input.loginId);
  const retryAfterSeconds = await findWait(tx, 'reset_otp', login.value, now);
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds };
  const memberIds = (await listMembersByLogin(tx, login)).map((member) => member.id);
  const memberId = await spendOtp(tx, { memberIds, purpose: 'reset_password', details: '', otp: input.otp, now });
  if (memberId === undefined) return undefined;
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
  await insertResetToken(tx, { tokenHash: hashToken(token), memberId, expiresAt });
  await forgetAttempts(tx, 'reset_otp', login.value);
  await auditOwn(tx, { memberId }, 'member.verify_reset_code', { address: input.address });
  return { token };
}

/**
 * Sets a new password with the token of a verified code; all sessions end. The token works once: of two requests at
 * the same moment one is refused. A password that is too weak leaves it usable. Refusals: `wrong_reset_token`,
 * `weak_password`.
 */
export async function resetPassword(
  context: Context,
  input: { readonly resetToken: string; readonly password: string; readonly address: string },
): Promise<void> {
  const tokenHash = hashToken(input.resetToken);
  const memberId = await findResetToken(context.db, tokenHash, context.now());
  const member = memberId === undefined ? undefined : await findMemberWithPassword(context.db, memberId);
  if (member === undefined) throw new Refused('wrong_reset_token');
  await refuseWeakPassword(input.password, member);
  const newHash = await hashPassword(input.password);
  const ended = await inTransaction(context.db, async (tx) => {
    if (!(await deleteResetToken(tx, tokenHash, context.now()))) throw new Refused('wrong_reset_token');
    const change = { newHash, keepSession: null, action: 'member.reset_password', address: input.address } as const;
    const hashes = await replacePassword(context, tx, member, change);
    if (hashes === undefined) throw new Refused('wrong_reset_token');
    return hashes;
  });
  forgetCallers(context, ended);
}
