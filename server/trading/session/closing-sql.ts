import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

export type Unfinished = { readonly hasTrade: boolean; readonly hasPlan: boolean };

/** What of a member's trades and plans is not over. */
export async function findUnfinished(tx: Tx, memberId: bigint): Promise<Unfinished> {
  const { rows } = await sql<Unfinished>`
    select exists (select from trading.trade where member_id = ${memberId} and state in ('queued', 'open')) as "hasTrade",
           exists (select from trading.plan where member_id = ${memberId} and state <> 'redeemed') as "hasPlan"`.execute(
    tx,
  );
  return rows[0] as Unfinished;
}
