import type { PasskeyCreation, PasskeyRegistration } from '#contract/accounts/passkeys.ts';
import { passkeyRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import type { Owner } from '../owner.ts';
import { challengeMs, insertPasskeyChallenge, takePasskeyChallenge } from './passkey-challenge.ts';
import { countPasskeys, insertPasskey, listPasskeyRows } from './passkey-sql.ts';
import type { RelyingParty } from './relying-party.ts';
import { loadVerifier, verified } from './verifier.ts';

/** COSE numbers of Ed25519, P-256 and RSA, the first that a device knows. */
const ALGORITHMS = [-8, -7, -257];

/** As a device files it: one passkey of each owner at most, so that a second one there replaces the first. */
export const userHandleOf = (owner: Owner): string =>
  Buffer.from('memberId' in owner ? `member:${owner.memberId}` : `operator:${owner.operatorId}`).toString('base64url');

/**
 * What a browser makes a new passkey with. It is one that says whose it is and asks for a finger, a face or a PIN. The
 * caller has checked who asks. Refusal: `too_many_passkeys`, ten of an owner.
 *
 * @param names what the device shows: an id to sign in with, and the owner's name
 */
export async function beginPasskey(
  { config, now }: Context,
  tx: Tx,
  rp: RelyingParty,
  owner: Owner,
  names: { readonly id: string; readonly name: string },
): Promise<PasskeyCreation> {
  const known = await listPasskeyRows(tx, owner);
  if (known.length >= passkeyRules.most) throw new Refused('too_many_passkeys');
  const challenge = await insertPasskeyChallenge(tx, rp, { owner, purpose: 'register', now: now() });
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: rp.id, name: config.brandName },
    user: { id: userHandleOf(owner), name: names.id, displayName: names.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/**
 * Stores a passkey that a device has made for the challenge of `beginPasskey`. The caller holds the owner's row, so that
 * two at once are counted. Refusals: `passkey_refused`, `passkey_known` when somebody has it already,
 * `too_many_passkeys`.
 */
export async function finishPasskey(
  context: Context,
  tx: Tx,
  owner: Owner,
  { name, answer }: { readonly name: string; readonly answer: PasskeyRegistration },
): Promise<{ readonly id: bigint }> {
  const now = context.now();
  const asked = await takePasskeyChallenge(tx, answer.response.clientDataJSON, { owner, purpose: 'register', now });
  if (asked === undefined) throw new Refused('passkey_refused');
  const { registrationInfo } = await verified(async () => {
    const { decodeAttestationObject, isoBase64URL, verifyRegistrationResponse } = await loadVerifier();
    // Who made the device is not asked for. A certificate would be looked up at an address that stands in it.
    const stated = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
    if (stated.get('attStmt').get('x5c') !== undefined || !['none', 'packed'].includes(stated.get('fmt')))
      return { verified: false };
    return verifyRegistrationResponse({
      response: { ...answer, authenticatorAttachment: undefined },
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.origins,
      expectedRPID: asked.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (registrationInfo === undefined) throw new Refused('passkey_refused');
  if ((await countPasskeys(tx, owner)) >= passkeyRules.most) throw new Refused('too_many_passkeys');
  const { credential, credentialBackedUp } = registrationInfo;
  const added = await insertPasskey(tx, owner, {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: answer.response.transports ?? [],
    isSynced: credentialBackedUp,
    name,
    createdAt: now,
  });
  if (added === undefined) throw new Refused('passkey_known');
  return added;
}
