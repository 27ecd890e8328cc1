import { sql } from 'kysely';
import { challengeMinutes } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue } from '#server/db/rows.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { auditOwn, type Owner, ownedBy, ownerColumns } from '../owner.ts';

/** Ends the password step of a two-factor sign-in. Returns the challenge token for the second step. */
export async function beginChallenge(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  owner: Owner,
  { address, isRemembered = false }: { readonly address: string; readonly isRemembered?: boolean },
): Promise<string> {
  const challenge = makeToken();
  const expiresAt = new Date(now().getTime() + challengeMinutes * 60_000);
  const { memberId, operatorId } = ownerColumns(owner);
  await execute(tx)`
    insert into identity.sign_in_challenge (token_hash, member_id, operator_id, is_remembered, expires_at)
    values (${hashToken(challenge)}, ${memberId}, ${operatorId}, ${isRemembered}, ${expiresAt})`;
  await auditOwn(tx, owner, `${memberId === null ? 'operator' : 'member'}.begin_sign_in`, { address });
  return challenge;
}

/**
 * Counts a try in its own statement and returns the owner. Undefined if the challenge is unknown, expired, out of
 * tries, or belongs to the other kind of account.
 */
export async function claimChallengeTry(
  db: Db,
  of: 'member' | 'operator',
  tried: { readonly tokenHash: Buffer; readonly maxTries: number; readonly now: Date },
): Promise<bigint | undefined> {
  const column = sql.ref(`${of}_id`);
  return findValue(db)<bigint>`
    update identity.sign_in_challenge set tries = tries + 1
    where token_hash = ${tried.tokenHash} and ${column} is not null
      and expires_at > ${tried.now} and tries < ${tried.maxTries}
    returning ${column} as "ownerId"`;
}

/** The owner of a pending challenge, without counting a try; undefined if it has expired. */
export const findChallengeOwner = (db: Db, of: 'member' | 'operator', tokenHash: Buffer, now: Date) =>
  findValue(db)<bigint>`
    select ${sql.ref(`${of}_id`)} from identity.sign_in_challenge
    where token_hash = ${tokenHash} and ${sql.ref(`${of}_id`)} is not null and expires_at > ${now}`;

/** Consumes a challenge: of two concurrent attempts one gets the row. */
export const deleteChallenge = (tx: Tx, tokenHash: Buffer) =>
  findRow(tx)<{ isRemembered: boolean }>`
    delete from identity.sign_in_challenge where token_hash = ${tokenHash}
    returning is_remembered as "isRemembered"`;

/** Ends an owner's pending challenges. */
export const deleteChallenges = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.sign_in_challenge where ${ownedBy(owner)}`;
