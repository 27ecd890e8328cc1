import type { PasskeyAnswer, PasskeyRequest } from '#contract/accounts/passkeys.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { hashToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { lockForSignIn } from '../members/members.ts';
import { beginPasskeyUse, type RelyingParty, verifyPasskeyAnswer } from '../passkeys/ceremonies.ts';
import { findPasskeyOwner } from '../passkeys/passkeys.ts';
import { clearAttempts, countAttempt } from './attempts.ts';
import { beginMemberSession, type SignedInMember } from './begin-session.ts';
import type { SentDevices } from './device-tokens.ts';
import { findChallengeMember } from './sign-in-challenge.ts';

/** What a browser asks any passkey of this site with; who it is, the passkey says. */
export const beginPasskeySignIn = (context: Context, rp: RelyingParty): Promise<PasskeyRequest> =>
  beginPasskeyUse(context, context.db, rp, { purpose: 'sign_in' });

/**
 * Signs a member in with a passkey, which is a whole sign-in: the device, and the finger, face or PIN it asked for. Frozen
 * members may sign in and read. Refusals: `passkey_refused`, also for one of an operator and one that nobody has;
 * `too_many_requests`.
 */
export async function signInByPasskey(
  context: Context,
  input: {
    readonly answer: PasskeyAnswer;
    readonly remember?: boolean | undefined;
    readonly userAgent: string;
    readonly address: string;
    readonly devices?: SentDevices | undefined;
  },
): Promise<SignedInMember> {
  const { answer, userAgent, address, devices } = input;
  await countAttempt(context.db, 'passkey_sign_in', answer.id, context.now());
  const owner = await findPasskeyOwner(context.db, answer.id);
  if (owner === undefined || !('memberId' in owner)) throw new Refused('passkey_refused');
  return inTransaction(context.db, async (tx) => {
    // The lock comes first: a passkey that is removed at this moment is seen below, or ends what is made here.
    const member = await lockForSignIn(tx, owner.memberId);
    if (member === undefined) throw new Refused('passkey_refused');
    await verifyPasskeyAnswer(context, tx, owner, answer, 'sign_in');
    await clearAttempts(tx, 'passkey_sign_in', answer.id);
    const remember = input.remember ?? false;
    return beginMemberSession(context, tx, member, { remember, secondFactor: 'passkey', userAgent, address, devices });
  });
}

/**
 * What a browser asks a passkey with after the password was right. Refusals: `sign_in_expired`, `not_found` without a
 * passkey.
 *
 * @param challenge of the first half
 */
export async function beginPasskeySecondHalf(
  context: Context,
  rp: RelyingParty,
  challenge: string,
): Promise<PasskeyRequest> {
  const memberId = await findChallengeMember(context.db, hashToken(challenge), context.now());
  if (memberId === undefined) throw new Refused('sign_in_expired');
  const request = await beginPasskeyUse(context, context.db, rp, { owner: { memberId }, purpose: 'second_factor' });
  if (request.allowCredentials.length === 0) throw new Refused('not_found');
  return request;
}
