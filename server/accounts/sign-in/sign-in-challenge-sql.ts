import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export async function insertOperatorChallenge(
  tx: Tx,
  draft: { readonly tokenHash: Buffer; readonly operatorId: bigint; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into identity.sign_in_challenge (token_hash, operator_id, expires_at)
    values (${draft.tokenHash}, ${draft.operatorId}, ${draft.expiresAt})`.execute(tx);
}

export async function insertMemberChallenge(
  tx: Tx,
  draft: {
    readonly tokenHash: Buffer;
    readonly memberId: bigint;
    readonly isRemembered: boolean;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await sql`
    insert into identity.sign_in_challenge (token_hash, member_id, is_remembered, expires_at)
    values (${draft.tokenHash}, ${draft.memberId}, ${draft.isRemembered}, ${draft.expiresAt})`.execute(tx);
}

/**
 * Counts a try in a statement of its own and says whose sign-in it is. Undefined when it is unknown, over, was tried
 * often enough, or belongs to the other kind of account.
 */
export async function claimChallengeTry(
  db: Db,
  of: 'member' | 'operator',
  tried: { readonly tokenHash: Buffer; readonly mostTries: number; readonly now: Date },
): Promise<bigint | undefined> {
  const column = sql.ref(`${of}_id`);
  const { rows } = await sql<{ ownerId: bigint }>`
    update identity.sign_in_challenge set tries = tries + 1
    where token_hash = ${tried.tokenHash} and ${column} is not null
      and expires_at > ${tried.now} and tries < ${tried.mostTries}
    returning ${column} as "ownerId"`.execute(db);
  return rows[0]?.ownerId;
}

/** Of two that end the same sign-in one gets the row. */
export async function deleteChallenge(tx: Tx, tokenHash: Buffer): Promise<{ isRemembered: boolean } | undefined> {
  const { rows } = await sql<{ isRemembered: boolean }>`
    delete from identity.sign_in_challenge where token_hash = ${tokenHash}
    returning is_remembered as "isRemembered"`.execute(tx);
  return rows[0];
}

/** Sign-ins of an operator that have not come to an end. */
export async function deleteOperatorChallenges(tx: Tx, operatorId: bigint): Promise<void> {
  await sql`delete from identity.sign_in_challenge where operator_id = ${operatorId}`.execute(tx);
}

/** The same of a member. */
export async function deleteMemberChallenges(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from identity.sign_in_challenge where member_id = ${memberId}`.execute(tx);
}
