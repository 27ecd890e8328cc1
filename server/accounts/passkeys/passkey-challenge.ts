import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { passkeyRules } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { type Owner, ownedBy } from '../owner.ts';
import { hashToken } from '../secrets.ts';
import { columnsOf } from './passkey-sql.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * What an answer is good for: another passkey, a sign-in by itself, the second half of a sign-in, or a step of somebody
 * who is signed in. One that was given for a sign-in moves no money.
 */
export type PasskeyPurpose = 'register' | 'sign_in' | 'second_factor' | 'confirm';

export const challengeMs = passkeyRules.challengeMinutes * 60_000;

/** Something new to sign, good for five minutes and one answer. At a sign-in nobody knows yet whose it is. */
export async function insertPasskeyChallenge(
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

type TakenChallenge = { readonly challenge: string; readonly rpId: string; readonly origins: string[] };

/**
 * Uses up the challenge that an answer carries: of twenty answers at once one gets the row. Undefined when it is unknown,
 * used, older than five minutes, of somebody else or for something else.
 */
export async function takePasskeyChallenge(
  tx: Tx,
  clientDataJson: string,
  asked: { readonly owner: Owner | null; readonly purpose: PasskeyPurpose; readonly now: Date },
): Promise<TakenChallenge | undefined> {
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
