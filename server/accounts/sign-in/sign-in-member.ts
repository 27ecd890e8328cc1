import type { PasskeyAnswer } from '#contract/accounts/passkeys.ts';
import type { SecondFactor } from '#contract/fields.ts';
import { otpRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { hashToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../core/login-id.ts';
import { findMemberByCode, lockForSignIn, lockPassword, strengthenPassword } from '../members/members.ts';
import { strengthenHash, verifyPassword } from '../passwords/passwords.ts';
import { createSemaphore } from '../passwords/semaphore.ts';
import { consumeAnswer, findSecondFactors, isAnyOn, type SecondFactors } from '../two-factor/second-factor.ts';
import { beginMemberSession, type SignedInMember } from './begin-session.ts';
import { findDevice, findDeviceOfLogin, type SentFrom } from './device-tokens.ts';
import { clearGuess, countGuess } from './guesses.ts';
import { beginChallenge, claimChallengeTry, deleteChallenge } from './sign-in-challenge.ts';

/**
 * Queues bursts of sign-ins before they query the database: two hundred at once would delay everyone else's queries.
 * Four are enough to keep the hashing busy.
 */
const limited = createSemaphore({ maxRunning: 4, maxWaiting: 200 });

type SignIn = SentFrom & {
  readonly loginId: string;
  readonly password: string;
  readonly remember?: boolean | undefined;
};

/**
 * Signs a member in with Registered Id, in any case, and password. An unknown id, and the company, which has no
 * password, get the same refusal as a wrong password, after the same work, and count the same. Frozen members may sign
 * in and read (docs/product.md, section 8). With a second factor, the password yields only a challenge, which
 * `verifyMemberOtp` exchanges for the session. Refuses `wrong_login`, `too_many_requests`, `not_ready`.
 */
export const signInMember = (context: Context, input: SignIn): Promise<PasswordAccepted> =>
  limited(() => checkAndBegin(context, input));

type PasswordAccepted = SignedInMember | { readonly challenge: string; readonly factors: SecondFactors };

async function checkAndBegin(context: Context, input: SignIn): Promise<PasswordAccepted> {
  const now = context.now();
  const login = readLoginId(input.loginId);
  const deviceId = await findDeviceOfLogin(context.db, login, input.devices ?? [], now);
  const guess = await countGuess(context, 'sign_in', { account: login.value, deviceId, address: input.address });
  const found = await findMemberByCode(context.db, login.value);
  const isRight = await verifyPassword(found?.passwordHash, input.password);
  if (found === undefined || found.passwordHash === null || !isRight) {
    context.log.info({ memberId: found?.id.toString(), address: input.address }, 'sign-in refused');
    throw new Refused('wrong_login');
  }
  const { passwordHash, ...member } = found;
  const remember = input.remember ?? false;
  const stronger = await strengthenHash(passwordHash, input.password);
  return inTransaction(context.db, async (tx) => {
    // Before the shared lock below, which another sign-in may hold, too.
    if (stronger !== undefined) await strengthenPassword(tx, member.id, { from: passwordHash, to: stronger });
    // The password may have been changed since the check, which ends all sign-ins including this one. Locked first: a
    // second factor that is turned on concurrently is seen below, or ends the new session.
    if (!(await lockPassword(tx, member.id, passwordHash))) throw new Refused('wrong_login');
    await clearGuess(tx, guess);
    const factors = await findSecondFactors(tx, member.id);
    if (isAnyOn(factors)) {
      const { address } = input;
      return {
        factors,
        challenge: await beginChallenge(context, tx, { memberId: member.id }, { address, isRemembered: remember }),
      };
    }
    return beginMemberSession(context, tx, member, { ...input, remember, secondFactor: null });
  });
}

type Code = { readonly otp: string } | { readonly recoveryCode: string } | { readonly passkey: PasskeyAnswer };

const answerOf = (code: Code): SecondFactor =>
  'passkey' in code ? code.passkey : 'otp' in code ? code.otp : code.recoveryCode;

type Input = SentFrom & { readonly challenge: string; readonly code: Code };

/**
 * Second step of a member's sign-in: a code of the authenticator app, a passkey, or a recovery code. Five tries per
 * sign-in, counted before the check, and also per member, or each new sign-in would add five. *Remember Me* comes from
 * the first step. Refuses `sign_in_expired` if the challenge is unknown, expired or was tried five times;
 * `wrong_second_factor` whatever was wrong with the code; `passkey_refused`; `too_many_requests`.
 */
export async function verifyMemberOtp(context: Context, input: Input): Promise<SignedInMember> {
  const now = context.now();
  const tokenHash = hashToken(input.challenge);
  const memberId = await claimChallengeTry(context.db, 'member', { tokenHash, maxTries: otpRules.tries, now });
  if (memberId === undefined) throw new Refused('sign_in_expired');
  const { address, devices = [] } = input;
  const deviceId = await findDevice(context.db, { memberId }, devices, { secret: 'second_factor', now });
  const tried = { account: memberId.toString(), deviceId, address };
  const guess = await countGuess(context, 'sign_in_second_factor', tried);
  return inTransaction(context.db, async (tx) => {
    // Locked first: a change of password or second factor has already ended the challenge, or waits.
    const member = await lockForSignIn(tx, memberId);
    const challenge = await deleteChallenge(tx, tokenHash);
    if (member === undefined || challenge === undefined) throw new Refused('sign_in_expired');
    // A refusal rolls the deletion back, so the challenge stays for the remaining tries.
    const answer = answerOf(input.code);
    const secondFactor = await consumeAnswer(context, tx, memberId, answer, 'sign_in');
    if (secondFactor === undefined) {
      context.log.info({ memberId: memberId.toString(), address: input.address }, 'two-factor code refused');
      throw new Refused('wrong_second_factor', { field: 'otp' in input.code ? 'otp' : 'recovery_code' });
    }
    await clearGuess(tx, guess);
    const { userAgent } = input;
    return beginMemberSession(context, tx, member, {
      remember: challenge.isRemembered,
      secondFactor,
      userAgent,
      address,
      devices,
    });
  });
}
