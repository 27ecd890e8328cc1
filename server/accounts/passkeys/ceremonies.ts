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
import { type Owner, ownedBy } from '../owner.ts';
import { columnsOf, countPasskeys, listPasskeyRows, type PasskeyRow } from './passkeys.ts';

/** COSE numbers of Ed25519, P-256 and RSA, the first that a device knows. */
const ALGORITHMS = [-8, -7, -257];

/** As a device files it: one passkey of each owner at most, so that a second one there replaces the first. */
const userHandleOf = (owner: Owner): string =>
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
  const asked = await consumePasskeyChallenge(tx, answer.response.clientDataJSON, { owner, purpose: 'register', now });
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
  // In this order, in which they are removed, too: who removes a passkey removes what it was asked to sign afterwards.
  const passkey = await lockPasskey(tx, owner, answer.id);
  const asked = await consumePasskeyChallenge(tx, clientDataJSON, { owner: askedOf, purpose, now });
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

/**
 * What an answer is good for: another passkey, a sign-in by itself, the second half of a sign-in, or a step of somebody
 * who is signed in. One that was given for a sign-in moves no money.
 */
type PasskeyPurpose = 'register' | 'sign_in' | 'second_factor' | 'confirm';

const challengeMs = passkeyRules.challengeMinutes * 60_000;

/** Something new to sign, good for five minutes and one answer. At a sign-in nobody knows yet whose it is. */
async function insertPasskeyChallenge(
  db: Db,
  { id, origins }: RelyingParty,
  asked: { readonly owner: Owner | null; readonly purpose: PasskeyPurpose; readonly now: Date },
): Promise<Buffer> {
  const challenge = randomBytes(32);
  const { memberId, operatorId } = asked.owner ? columnsOf(asked.owner) : { memberId: null, operatorId: null };
  await execute(db)`
    insert into identity.passkey_challenge
      (challenge_hash, member_id, operator_id, purpose, rp_id, origins, expires_at)
    values (${hashToken(challenge.toString('base64url'))}, ${memberId}, ${operatorId}, ${asked.purpose}, ${id},
            ${[...origins]}::text[], ${new Date(asked.now.getTime() + challengeMs)})`;
  return challenge;
}

type ConsumedChallenge = { readonly challenge: string; readonly rpId: string; readonly origins: string[] };

/**
 * Uses up the challenge that an answer carries: of twenty answers at once one gets the row. Undefined when it is unknown,
 * used, older than five minutes, of somebody else or for something else.
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

/** What an owner was asked to sign and has not answered yet is worth nothing any more. */
export const deletePasskeyChallenges = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.passkey_challenge where ${ownedBy(owner)}`;

/** Undefined of what no browser writes. */
function readChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Loaded at first use: it reads certificates of all kinds of devices and takes a third of a second of every start. */
async function loadVerifier() {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = library;
  return { verifyAuthenticationResponse, verifyRegistrationResponse, ...helpers };
}

/**
 * What a check of an answer says when it passes. The library throws for whatever an answer can be wrong in: its bytes,
 * origin, domain, counter or signature. None of that is told to who sent it. Refusal: `passkey_refused`.
 */
async function verified<T extends { verified: boolean }>(check: () => Promise<T>): Promise<T> {
  const result = await check().catch(() => undefined);
  if (result?.verified !== true) throw new Refused('passkey_refused');
  return result;
}

/** What passkeys are bound to: a domain, and the pages that may ask for them. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] };

/**
 * That of `PUBLIC_URL`, else of the address that the browser asked. Who makes a Host header up gains nothing: a device
 * signs for the domain it sees itself, and knows a passkey on its own domain only. Refusal: `passkeys_unavailable` at an
 * address in numbers, which no browser has passkeys for.
 *
 * @param host the Host header: `localhost:8080`
 */
export function getRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>, host: unknown): RelyingParty {
  const url = URL.parse(publicUrl ?? `http://${typeof host === 'string' ? host : ''}`);
  if (url === null || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new Refused('passkeys_unavailable');
  const origins = publicUrl === undefined ? [`http://${url.host}`, `https://${url.host}`] : [url.origin];
  return { id: url.hostname, origins };
}

/** Holds it, so that of two answers at once the second sees the counter of the first. */
const lockPasskey = (tx: Tx, owner: Owner, credentialId: string) =>
  findRow(tx)<Pick<PasskeyRow, 'id' | 'name' | 'publicKey' | 'counter'>>`
    select id, name, public_key as "publicKey", counter from identity.passkey
    where credential_id = ${credentialId} and ${ownedBy(owner)} for update`;

type PasskeyDraft = Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced' | 'name' | 'createdAt'
>;

/** Undefined when somebody has it already, also somebody else. */
function insertPasskey(tx: Tx, owner: Owner, draft: PasskeyDraft) {
  const { memberId, operatorId } = columnsOf(owner);
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
