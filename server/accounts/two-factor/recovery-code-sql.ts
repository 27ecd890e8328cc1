import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

/** The codes of a member from now on; the ones before are worth nothing any more. */
export async function replaceRecoveryCodes(tx: Tx, memberId: bigint, codeHashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, memberId);
  const values = codeHashes.map((codeHash) => sql`(${memberId}::bigint, ${codeHash}::bytea)`);
  await sql`insert into identity.recovery_code (member_id, code_hash) values ${sql.join(values)}`.execute(tx);
}

export async function deleteRecoveryCodes(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from identity.recovery_code where member_id = ${memberId}`.execute(tx);
}

/** Uses a code up: of twenty at once, one gets the row. */
export async function takeRecoveryCodeRow(tx: Tx, memberId: bigint, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from identity.recovery_code where member_id = ${memberId} and code_hash = ${codeHash} returning 1`.execute(
    tx,
  );
  return rows.length === 1;
}

export async function countRecoveryCodes(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from identity.recovery_code where member_id = ${memberId}`.execute(db);
  return rows[0]?.count ?? 0;
}
