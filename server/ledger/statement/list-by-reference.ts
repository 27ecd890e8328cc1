import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
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

const showReferenced = (row: ReferencedRow): ReferencedTransfer => ({
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

/**
 * The transfers with exactly these keys and what reversed them, in the order they were posted; keys that were never posted are
 * left out. As with `listTransfersOf` the caller has made sure that they are the member's own.
 * `listTransfersByKey(db, ['bonus/2026-03-04/level/17'])` is one transfer, or none when nothing was paid.
 */
export async function listTransfersByKey(db: Db, keys: readonly string[]): Promise<ReferencedTransfer[]> {
  return (await listByKeys(db, keys)).map(showReferenced);
}

type ReferencedRow = {
  readonly id: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly amount: bigint;
  readonly reason: Reason;
  readonly market_at: Date;
  readonly created_at: Date;
  readonly from_balance_after: bigint | null;
  readonly to_balance_after: bigint | null;
};

/** How many transfers of one thing are read at most; a trade has eight, and their reversals. */
const MOST = 100;

/**
 * Transfers whose key begins with `prefix/` and that carry the reference, and what reversed them. The keys are in the order
 * of their bytes (collate "C"), in which `0` follows `/`: so all of them lie in one range of the index of keys.
 */
async function listByKeyPrefix(db: Db, prefix: string, reference: string): Promise<ReferencedRow[]> {
  const { rows } = await sql<ReferencedRow>`
    with own as materialized (
      select * from ledger.transfer t
      where t.key >= ${`${prefix}/`} and t.key < ${`${prefix}0`} and t.reference = ${reference})
    select id, from_account, to_account, amount, reason, market_at, created_at, from_balance_after, to_balance_after from (
      select * from own
      union all
      select r.* from own join ledger.transfer r on r.reverses = own.id) as found
    order by id limit ${MOST}`.execute(db);
  return rows;
}

/** Transfers by their keys, and what reversed them. */
async function listByKeys(db: Db, keys: readonly string[]): Promise<ReferencedRow[]> {
  const { rows } = await sql<ReferencedRow>`
    with own as materialized (select * from ledger.transfer t where t.key = any(${keys}::text[]))
    select id, from_account, to_account, amount, reason, market_at, created_at, from_balance_after, to_balance_after from (
      select * from own
      union all
      select r.* from own join ledger.transfer r on r.reverses = own.id) as found
    order by id`.execute(db);
  return rows;
}
