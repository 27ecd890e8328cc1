import type { Db } from '#server/db/connect.ts';
import { type AccountClass, classOf } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { listByKeyPrefix, type ReferencedRow } from './reference-sql.ts';

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

/**
 * All transfers of one thing, in the order they were posted, whoever's accounts they touch: the caller has made sure that the
 * thing is the member's own. `trade/12` with the reference `trade 12` gives those keyed `trade/12/place`, `trade/12/fee` and so
 * on, but not those of trade 120, nor what was booked for many trades together under the last one's key.
 */
export async function listTransfersOf(
  db: Db,
  thing: { readonly keyPrefix: string; readonly reference: string },
): Promise<ReferencedTransfer[]> {
  return (await listByKeyPrefix(db, thing.keyPrefix, thing.reference)).map(showReferenced);
}

export const showReferenced = (row: ReferencedRow): ReferencedTransfer => ({
  id: row.id,
  from: classOf(row.from_account),
  to: classOf(row.to_account),
  amountMicros: row.amount,
  reason: row.reason,
  marketAt: row.market_at,
  createdAt: row.created_at,
  fromBalanceAfterMicros: row.from_balance_after,
  toBalanceAfterMicros: row.to_balance_after,
});
