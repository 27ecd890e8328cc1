import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { type AccountClass, classOf } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';

export type ReferencedTransfer = {
  readonly id: bigint;
  readonly from: AccountClass;
  readonly to: AccountClass;
  readonly amountMicros: bigint;
  readonly reason: Reason;
  readonly marketAt: Date;
  readonly createdAt: Date;
  /** Balances after it of the accounts that are a member's; the house has none. */
  readonly fromBalanceAfterMicros: bigint | null;
  readonly toBalanceAfterMicros: bigint | null;
};

/** How many transfers of one thing are read at most; a trade has eight, and their reversals. */
const MOST = 100;

/**
 * All transfers of one thing and what reversed them, in the order they were posted, whoever's accounts they touch: the
 * caller has made sure that the thing is the member's own. `trade/12` with the reference `trade 12` gives those keyed
 * `trade/12/place`, `trade/12/fee` and so on, but not those of trade 120, nor what was booked for many trades together
 * under the last one's key.
 *
 * Keys are in the order of their bytes (collate "C"), in which `0` follows `/`: so all of them lie in one range of an index.
 */
export const listTransfersOf = (
  db: Db,
  { keyPrefix, reference }: { readonly keyPrefix: string; readonly reference: string },
): Promise<ReferencedTransfer[]> =>
  listWhere(db, sql`t.key >= ${`${keyPrefix}/`} and t.key < ${`${keyPrefix}0`} and t.reference = ${reference}`, MOST);

/**
 * The same for transfers with exactly these keys; keys that were never posted are left out.
 * `listTransfersByKey(db, ['bonus/2026-03-04/level/17'])` is one transfer, or none when nothing was paid.
 */
export const listTransfersByKey = (db: Db, keys: readonly string[]): Promise<ReferencedTransfer[]> =>
  listWhere(db, sql`t.key = any(${keys}::text[])`, null);

async function listWhere(db: Db, condition: RawBuilder<unknown>, most: number | null): Promise<ReferencedTransfer[]> {
  const rows = await listRows(db)<
    Omit<ReferencedTransfer, 'from' | 'to'> & { readonly from: bigint; readonly to: bigint }
  >`
    with own as materialized (select * from ledger.transfer t where ${condition})
    select id, from_account as "from", to_account as "to", amount as "amountMicros", reason, market_at as "marketAt",
      created_at as "createdAt", from_balance_after as "fromBalanceAfterMicros", to_balance_after as "toBalanceAfterMicros"
    from (
      select * from own
      union all
      select r.* from own join ledger.transfer r on r.reverses = own.id) as found
    order by id limit ${most}::int`;
  return rows.map((row) => ({ ...row, from: classOf(row.from), to: classOf(row.to) }));
}
