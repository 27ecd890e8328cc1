import type { PasskeyAnswer, PasskeyRequest } from '#contract/accounts/passkeys.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import type { Owner } from '../owner.ts';
import { userHandleOf } from './add-passkey.ts';
import { challengeMs, insertPasskeyChallenge, type PasskeyPurpose, takePasskeyChallenge } from './passkey-challenge.ts';
import { listPasskeyRows, lockPasskey, updateUse } from './passkey-sql.ts';
import type { RelyingParty } from './relying-party.ts';
import { loadVerifier, verified } from './verifier.ts';

/** What a passkey can be asked for besides making one. */
export type PasskeyUse = Exclude<PasskeyPurpose, 'register'>;

/**
 * What a browser asks one of the owner's passkeys with. Without an owner it asks for any that the device has for this
 * site: whoever signs in has said nothing yet.
 */
export async function beginPasskeyUse(
  { now }: Pick<Context, 'now'>,
  db: Db,
  rp: RelyingParty,
  asked: { readonly owner: Owner; readonly purpose: 'second_factor' | 'confirm' } | { readonly purpose: 'sign_in' },
): Promise<PasskeyRequest> {
  const owner = 'owner' in asked ? asked.owner : null;
  const known = owner === null ? [] : await listPasskeyRows(db, owner);
  const challenge = await insertPasskeyChallenge(db, rp, { owner, purpose: asked.purpose, now: now() });
  return {
    challenge: challenge.toString('base64url'),
    rpId: rp.id,
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
  };
}

/**
 * Takes what a passkey of this owner answered, once: its challenge is used up with the transaction. The device has asked
 * for a finger, a face or a PIN; a counter that did not move on is that of a copy and is refused. The caller has counted
 * the try. Refusal: `passkey_refused`, whatever was wrong.
 *
 * @returns the passkey that was used
 */
export async function takePasskeyAnswer(
  context: Context,
  tx: Tx,
  owner: Owner,
  answer: PasskeyAnswer,
  purpose: PasskeyUse,
): Promise<{ readonly id: bigint; readonly name: string }> {
  const now = context.now();
  const { clientDataJSON, userHandle } = answer.response;
  const askedOf = purpose === 'sign_in' ? null : owner;
  const asked = await takePasskeyChallenge(tx, clientDataJSON, { owner: askedOf, purpose, now });
  const passkey = await lockPasskey(tx, owner, answer.id);
  if (asked === undefined || passkey === undefined) throw new Refused('passkey_refused');
  const saysWhose =
    userHandle === undefined || userHandle === null ? purpose !== 'sign_in' : userHandle === userHandleOf(owner);
  if (!saysWhose) throw new Refused('passkey_refused');
  const { authenticationInfo } = await verified(async () => {
    const { verifyAuthenticationResponse } = await loadVerifier();
    return verifyAuthenticationResponse({
      response: {
        ...answer,
        authenticatorAttachment: undefined,
        response: { ...answer.response, userHandle: userHandle ?? undefined },
      },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origins,
      expectedRPID: asked.rpId,
      credential: {
        id: answer.id,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: Number(passkey.counter),
      },
      requireUserVerification: true,
    });
  });
  const { newCounter, credentialBackedUp } = authenticationInfo;
  await updateUse(tx, passkey.id, { counter: newCounter, isSynced: credentialBackedUp, now });
  return { id: passkey.id, name: passkey.name };
}
