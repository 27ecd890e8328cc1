import type { PasskeyAnswer, PasskeyRequest } from '#contract/accounts/passkeys.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { hashToken } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { lockForSignIn } from '../members/members.ts';
import { beginPasskeyUse, type RelyingParty, verifyPasskeyAnswer } from '../passkeys/ceremonies.ts';
import { findPasskeyOwner } from '../passkeys/passkeys.ts';
import { keepUsedTwoFactor } from '../two-factor/keep-two-factor.ts';
import { clearAttempts, countAttempt } from './attempts.ts';
import { beginMemberSession, type SignedInMember } from './begin-session.ts';
import type { SentFrom } from './device-tokens.ts';
import { findChallengeOwner } from './sign-in-challenge.ts';

/** Options for signing in with any passkey of this site, which identifies the member. */
export const beginPasskeySignIn = (context: Context, rp: RelyingParty): Promise<PasskeyRequest> =>
  beginPasskeyUse(context, context.db, rp, { purpose: 'sign_in' });

/**
 * Signs a member in with a passkey, which counts as both factors: the device and its user verification. Frozen members
 * may sign in and read. Refuses `passkey_refused`, also for an operator's or unknown passkey; `too_many_requests`.
 */
export async function signInByPasskey(
  context: Context,
  input: SentFrom & { readonly answer: PasskeyAnswer; readonly remember?: boolean | undefined },
): Promise<SignedInMember> {
  const { answer, userAgent, address, devices } = input;
  await countAttempt(context.db, 'passkey_sign_in', answer.id, context.now());
  const owner = await findPasskeyOwner(context.db, answer.id);
  if (owner === undefined || !('memberId' in owner)) throw new Refused('passkey_refused');
  return inTransaction(context.db, async (tx) => {
    // Locked first: a concurrent removal of the passkey is seen below, or ends the new session.
    const member = orRefuse(await lockForSignIn(tx, owner.memberId), 'passkey_refused');
    await verifyPasskeyAnswer(context, tx, owner, answer, 'sign_in');
    await clearAttempts(tx, 'passkey_sign_in', answer.id);
    await keepUsedTwoFactor(tx, context, owner.memberId, address);
    const remember = input.remember ?? false;
    return beginMemberSession(context, tx, member, { remember, secondFactor: 'passkey', userAgent, address, devices });
  });
}

/**
 * Options for a passkey as second factor, after the password. Refuses `sign_in_expired`, `not_found` without a passkey.
 *
 * @param challenge the challenge that the password step returned
 */
export async function beginPasskeySecondHalf(
  context: Context,
  rp: RelyingParty,
  of: 'member' | 'operator',
  challenge: string,
): Promise<PasskeyRequest> {
  const id = orRefuse(await findChallengeOwner(context.db, of, hashToken(challenge), context.now()), 'sign_in_expired');
  const owner = of === 'member' ? { memberId: id } : { operatorId: id };
  const request = await beginPasskeyUse(context, context.db, rp, { owner, purpose: 'second_factor' });
  if (request.allowCredentials.length === 0) throw new Refused('not_found');
  return request;
}
