import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { sql } from 'kysely';
import type {
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '#contract/accounts/passkeys.ts';
import { passkeyRules } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { hashToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { type Owner, ownedBy, ownerColumns } from '../owner.ts';
import { countPasskeys, listPasskeyRows, type PasskeyRow } from './passkeys.ts';

/** COSE numbers of Ed25519, P-256 and RSA, in order of preference. */
const ALGORITHMS = [-8, -7, -257];

/** A device stores at most one passkey per user handle, so a second one replaces the first. */
const userHandleOf = (owner: Owner): string =>
  Buffer.from('memberId' in owner ? `member:${owner.memberId}` : `operator:${owner.operatorId}`).toString('base64url');

/**
 * Options for creating a passkey: a discoverable one with user verification. The caller has authenticated the owner.
 * Refuses `too_many_passkeys` beyond ten per owner.
 *
 * @param names what the device shows: the sign-in id and the owner's name
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
 * Stores a passkey that a device created for the challenge of `beginPasskey`. The caller holds the lock on the owner's
 * row, so concurrent ones are counted. Refuses `passkey_refused`, `passkey_known` if it is registered already,
 * `too_many_passkeys`.
 */
export async function finishPasskey(
  context: Context,
  tx: Tx,
  owner: Owner,
  { name, answer }: { readonly name: string; readonly answer: PasskeyRegistration },
): Promise<{ readonly id: bigint }> {
  const now = context.now();
  const asked = await consumePasskeyChallenge(tx, answer.response.clientDataJSON, { owner, purpose: 'register', now });
  if (asked === undefined) throw new Refused('passkey_refused');
  const { registrationInfo } = await verified(new Refused('passkey_refused'), async () => {
    const { decodeAttestationObject, isoBase64URL, verifyRegistrationResponse } = await loadVerifier();
    // No attestation is requested. Verifying a certificate would fetch a URL that it contains.
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

/** Purposes of an existing passkey. */
export type PasskeyUse = Exclude<PasskeyPurpose, 'register'>;

/** Options for confirming an operation with one of the owner's passkeys. Refuses `not_found` without a passkey. */
export async function challengePasskey(
  context: Pick<Context, 'db' | 'now'>,
  rp: RelyingParty,
  owner: Owner,
): Promise<PasskeyRequest> {
  const request = await beginPasskeyUse(context, context.db, rp, { owner, purpose: 'confirm' });
  if (request.allowCredentials.length === 0) throw new Refused('not_found');
  return request;
}

/**
 * Options for using one of the owner's passkeys. Without an owner, at a sign-in by passkey, any passkey that the device
 * has for this site.
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
 * Verifies the answer of a passkey of this owner and consumes its challenge in the transaction. User verification is
 * required, and a counter that did not increase, which indicates a copy, is refused. The caller has counted the try.
 * Refuses `passkey_refused` at the field of the answer, whatever was wrong.
 *
 * @returns the passkey that was used
 */
export async function verifyPasskeyAnswer(
  context: Context,
  tx: Tx,
  owner: Owner,
  answer: PasskeyAnswer,
  purpose: PasskeyUse,
): Promise<{ readonly id: bigint; readonly name: string }> {
  const now = context.now();
  const { clientDataJSON, userHandle } = answer.response;
  const askedOf = purpose === 'sign_in' ? null : owner;
  const field = 'operatorId' in owner ? 'otp' : purpose === 'confirm' ? 'second_factor' : 'passkey';
  const refused = new Refused('passkey_refused', { field });
  // The lock order of removals, too: the passkey first, then its challenges.
  const passkey = await lockPasskey(tx, owner, answer.id);
  const asked = await consumePasskeyChallenge(tx, clientDataJSON, { owner: askedOf, purpose, now });
  if (asked === undefined || passkey === undefined) throw refused;
  const isOfOwner =
    userHandle === undefined || userHandle === null ? purpose !== 'sign_in' : userHandle === userHandleOf(owner);
  if (!isOfOwner) throw refused;
  const { authenticationInfo } = await verified(refused, async () => {
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

/**
 * An answer is valid for one purpose: registering a passkey, a sign-in on its own, the second factor of a sign-in, or
 * confirming an operation. An answer given at a sign-in cannot move money.
 */
type PasskeyPurpose = 'register' | 'sign_in' | 'second_factor' | 'confirm';

const challengeMs = passkeyRules.challengeMinutes * 60_000;

/** A new challenge, valid for five minutes and one answer. At a sign-in it has no owner yet. */
async function insertPasskeyChallenge(
  db: Db,
  { id, origins }: RelyingParty,
  asked: { readonly owner: Owner | null; readonly purpose: PasskeyPurpose; readonly now: Date },
): Promise<Buffer> {
  const challenge = randomBytes(32);
  const { memberId, operatorId } = asked.owner ? ownerColumns(asked.owner) : { memberId: null, operatorId: null };
  await execute(db)`
    insert into identity.passkey_challenge
      (challenge_hash, member_id, operator_id, purpose, rp_id, origins, expires_at)
    values (${hashToken(challenge.toString('base64url'))}, ${memberId}, ${operatorId}, ${asked.purpose}, ${id},
            ${[...origins]}::text[], ${new Date(asked.now.getTime() + challengeMs)})`;
  return challenge;
}

type ConsumedChallenge = { readonly challenge: string; readonly rpId: string; readonly origins: string[] };

/**
 * Consumes the challenge of an answer: of twenty concurrent answers one gets the row. Undefined if it is unknown, used,
 * older than five minutes, of another owner or for another purpose.
 */
async function consumePasskeyChallenge(
  tx: Tx,
  clientDataJson: string,
  asked: { readonly owner: Owner | null; readonly purpose: PasskeyPurpose; readonly now: Date },
): Promise<ConsumedChallenge | undefined> {
  const challenge = readChallenge(clientDataJson);
  if (challenge === undefined) return undefined;
  const isTheirs = asked.owner === null ? sql`num_nonnulls(member_id, operator_id) = 0` : ownedBy(asked.owner);
  const row = await findRow(tx)<{ rpId: string; origins: string[] }>`
    delete from identity.passkey_challenge
    where challenge_hash = ${hashToken(challenge)} and purpose = ${asked.purpose} and expires_at > ${asked.now}
      and ${isTheirs}
    returning rp_id as "rpId", origins`;
  return row && { challenge, rpId: row.rpId, origins: row.origins };
}

/** Invalidates an owner's unanswered challenges. */
export const deletePasskeyChallenges = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.passkey_challenge where ${ownedBy(owner)}`;

/** Undefined if malformed. */
function readChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Loaded at first use, because it reads device certificates and would add a third of a second to every start. */
async function loadVerifier() {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = library;
  return { verifyAuthenticationResponse, verifyRegistrationResponse, ...helpers };
}

/**
 * The result of a successful check. The library throws for anything wrong in an answer: its bytes, origin, domain,
 * counter or signature. The client does not learn which.
 */
async function verified<T extends { verified: boolean }>(refused: Refused, check: () => Promise<T>): Promise<T> {
  const result = await check().catch(() => undefined);
  if (result?.verified !== true) throw refused;
  return result;
}

/** What passkeys are bound to: a domain, and the origins that may use them. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] };

/**
 * From `PUBLIC_URL`, else from the Host header. A forged header gains nothing: a device signs for the domain that it
 * sees, and offers a passkey on its own domain only. Refuses `passkeys_unavailable` for an IP address, where browsers
 * have no passkeys.
 *
 * @param host the Host header: `localhost:8080`
 */
export function getRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>, host: unknown): RelyingParty {
  const url = URL.parse(publicUrl ?? `http://${typeof host === 'string' ? host : ''}`);
  if (url === null || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new Refused('passkeys_unavailable');
  const origins = publicUrl === undefined ? [`http://${url.host}`, `https://${url.host}`] : [url.origin];
  return { id: url.hostname, origins };
}

/** Locks it, so that of two concurrent answers the second sees the counter of the first. */
const lockPasskey = (tx: Tx, owner: Owner, credentialId: string) =>
  findRow(tx)<Pick<PasskeyRow, 'id' | 'name' | 'publicKey' | 'counter'>>`
    select id, name, public_key as "publicKey", counter from identity.passkey
    where credential_id = ${credentialId} and ${ownedBy(owner)} for update`;

type PasskeyDraft = Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced' | 'name' | 'createdAt'
>;

/** Undefined if it is registered already, by any owner. */
function insertPasskey(tx: Tx, owner: Owner, draft: PasskeyDraft) {
  const { memberId, operatorId } = ownerColumns(owner);
  return findRow(tx)<{ id: bigint }>`
    insert into identity.passkey
      (member_id, operator_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${memberId}, ${operatorId}, ${draft.credentialId}, ${draft.publicKey}, ${draft.counter},
            ${[...draft.transports]}::text[], ${draft.isSynced}, ${draft.name}, ${draft.createdAt})
    on conflict (credential_id) do nothing returning id`;
}

const updateUse = (
  tx: Tx,
  id: bigint,
  use: { readonly counter: number; readonly isSynced: boolean; readonly now: Date },
) =>
  execute(tx)`
    update identity.passkey
    set counter = ${use.counter}, is_synced = ${use.isSynced}, last_used_at = ${use.now} where id = ${id}`;
