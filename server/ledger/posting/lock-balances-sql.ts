import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

export async function lockAccountRows(tx: Tx, memberId: bigint): Promise<{ balance: bigint }[]> {
  const { rows } = await sql<{ balance: bigint }>`
    select balance from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31 order by id for update`.execute(tx);
  return rows;
}
