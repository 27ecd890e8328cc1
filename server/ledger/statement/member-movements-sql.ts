import { sql } from 'kysely';
import { incomeReasons } from '#contract/ledger-reasons.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { houseClasses, memberClasses } from '../core/account.ts';

/** Positive into the member's accounts, negative out of them. */
export type MemberMovement = {
  readonly marketAt: Date;
  /** The database transaction that posted it. */
  readonly tx: bigint;
  readonly signedMicros: bigint;
  /** Through the gateway. */
  readonly isOutside: boolean;
};

/**
 * A member's movements except trades, oldest first: deposits, payouts and their fees, corrections, and reversals of
 * these; incomes. Reads one range of an index for each account and reason.
 */
export async function listMemberMovements(db: Db, memberId: bigint): Promise<MemberMovement[]> {
  const { primary, profit, withdrawal_hold } = memberClasses;
  const own = sql`(${sql.join([primary, profit, withdrawal_hold].map((no) => sql`${memberId}::bigint * 32 + ${sql.lit(no)}`))})`;
  const { gateway, unallocated, withdrawal_fees, adjustments } = houseClasses;
  const outside = sql`(${sql.join([gateway, unallocated, withdrawal_fees].map((no) => sql.lit(no)))})`;
  const incomes = sql.join(incomeReasons.map((reason) => sql.lit(reason)));
  return listRows(db)<MemberMovement>`
    select market_at as "marketAt", tx, signed as "signedMicros", house in ${outside} as "isOutside" from (
      select t.id, t.market_at, t.tx, t.amount as signed, t.from_account as house, t.reason from ledger.transfer t
      where t.to_account in ${own} and t.to_account >= 32 and t.from_account < 32
        and t.reason in ('deposit', 'deposit_allocated', 'reversal', 'correction', ${incomes})
      union all
      select t.id, t.market_at, t.tx, -t.amount, t.to_account, t.reason from ledger.transfer t
      where t.from_account in ${own} and t.from_account >= 32 and t.to_account < 32
        and t.reason in ('withdrawal_payout', 'withdrawal_fee', 'reversal', 'correction')
    ) as movement
    where reason <> 'reversal' or house in ${outside} or house = ${sql.lit(adjustments)}
    order by market_at, id`;
}
