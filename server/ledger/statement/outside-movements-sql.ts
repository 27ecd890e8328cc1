import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { houseClasses, memberClasses } from '../core/account.ts';

/** Positive: money came in from outside; negative: it left. */
export type OutsideMovement = { readonly marketAt: Date; readonly createdAt: Date; readonly signedMicros: bigint };

/**
 * What came to a member through the gateway and what left through it, oldest first: deposits, payouts with their fees
 * (they leave the member too), and reversals of these. One range of an index for each reason.
 */
export async function listOutsideMovements(db: Db, memberId: bigint): Promise<OutsideMovement[]> {
  const own = sql`(${memberId}::bigint * 32 + ${sql.lit(memberClasses.primary)}, ${memberId}::bigint * 32 + ${sql.lit(memberClasses.withdrawal_hold)})`;
  const outside = sql`(${sql.lit(houseClasses.gateway)}, ${sql.lit(houseClasses.unallocated)}, ${sql.lit(houseClasses.withdrawal_fees)})`;
  return listRows(db)<OutsideMovement>`
    select market_at as "marketAt", created_at as "createdAt", signed as "signedMicros" from (
      select t.id, t.market_at, t.created_at, t.amount as signed from ledger.transfer t
      where t.to_account in ${own} and t.to_account >= 32 and t.reason in ('deposit', 'deposit_allocated', 'reversal')
        and t.from_account in ${outside}
      union all
      select t.id, t.market_at, t.created_at, -t.amount from ledger.transfer t
      where t.from_account in ${own} and t.from_account >= 32
        and t.reason in ('withdrawal_payout', 'withdrawal_fee', 'reversal') and t.to_account in ${outside}
    ) as movement
    order by market_at, id`;
}
