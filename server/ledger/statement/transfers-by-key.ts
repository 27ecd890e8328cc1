import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { type AccountClass, classOf, houseClasses } from '../core/account.ts';
import type { Reason } from '../core/flow.ts';

export type ReferencedTransfer = {
  readonly id: bigint;
  readonly from: AccountClass;
  readonly to: AccountClass;
  readonly amountMicros: bigint;
  readonly reason: Reason;
  readonly marketAt: Date;
  readonly createdAt: Date;
  /** Null for a house account. */
  readonly fromBalanceAfterMicros: bigint | null;
  readonly toBalanceAfterMicros: bigint | null;
};

/** Limit of transfers per reference; a trade has eight, and their reversals. */
const MAX_TRANSFERS = 100;

/**
 * All transfers of one subject and their reversals, in posting order, on any account: the caller has checked that the
 * subject belongs to the member. `trade/12` with the reference `trade 12` gives those keyed `trade/12/place`,
 * `trade/12/fee` and so on, but neither those of trade 120 nor transfers posted for many trades under the last one's
 * key.
 *
 * Keys are sorted by byte (collate "C"), where `0` follows `/`, so they are one range of an index.
 */
export const listTransfersOf = (
  db: Db,
  { keyPrefix, reference }: { readonly keyPrefix: string; readonly reference: string },
): Promise<ReferencedTransfer[]> =>
  listWhere(
    db,
    sql`t.key >= ${`${keyPrefix}/`} and t.key < ${`${keyPrefix}0`} and t.reference = ${reference}`,
    MAX_TRANSFERS,
  );

/**
 * The transfers with exactly these keys and their reversals; keys that were never posted are skipped.
 * `listTransfersByKey(db, ['bonus/2026-03-04/level/17'])` is one transfer, or none if nothing was paid.
 */
export const listTransfersByKey = (db: Db, keys: readonly string[]): Promise<ReferencedTransfer[]> =>
  listWhere(db, sql`t.key = any(${keys}::text[])`, null);

async function listWhere(db: Db, condition: RawBuilder<unknown>, limit: number | null): Promise<ReferencedTransfer[]> {
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
    order by id limit ${limit}::int`;
  return rows.map((row) => ({ ...row, from: classOf(row.from), to: classOf(row.to) }));
}

/**
 * SQL for `member_id, reason, amount` of payments to members under keys that begin with `prefix/`: one range of the
 * index on keys, where `0` follows `/`.
 */
export const paidUnderKeys = (prefix: string): RawBuilder<unknown> => sql`
  select t.to_account >> 5 as member_id, t.reason::text as reason, t.amount::bigint as amount
  from ledger.transfer t
  where t.key >= ${`${prefix}/`} and t.key < ${`${prefix}0`} and t.to_account >= 32`;

/**
 * SQL for `key, from_account, to_account, amount, reason, reference` of all transfers whose keys begin with `prefix/`.
 */
export const transfersUnderKeys = (prefix: string): RawBuilder<unknown> => sql`
  select t.key::text as key, t.from_account::bigint as from_account, t.to_account::bigint as to_account,
    t.amount::bigint as amount, t.reason::text as reason, t.reference::text as reference
  from ledger.transfer t where t.key >= ${`${prefix}/`} and t.key < ${`${prefix}0`}`;

/** SQL for `key, amount` of single transfers. */
export const amountsOfKeys = (keys: readonly string[]): RawBuilder<unknown> => sql`
  select t.key::text as key, t.amount::bigint as amount from ledger.transfer t where t.key = any(${keys}::text[])`;

/**
 * SQL for `key, signed`: transfers into `venue_result` (positive) and out of it (negative).
 *
 * @param keys a query of one column, `key`; each is looked up in the index
 */
export const venueResultsOf = (keys: RawBuilder<unknown>): RawBuilder<unknown> => {
  const result = sql.lit(houseClasses.venue_result);
  return sql`
    select t.key::text as key, case when t.to_account = ${result} then t.amount::bigint else -t.amount::bigint end as signed
    from (${keys}) as k
    cross join lateral (select * from ledger.transfer f where f.key = k.key offset 0) as t
    where ${result} in (t.from_account, t.to_account)`;
};

/**
 * SQL for `reference, signed`: what settled trades moved out of the venue (positive) and into it (negative), including
 * reversals.
 *
 * @param sinceKey only transfers posted after the one with this key; all, if there is none
 */
export const venueMoves = (sinceKey: string): RawBuilder<unknown> => {
  const venue = sql.lit(houseClasses.venue);
  const since = sql`coalesce((select k.id from ledger.transfer k where k.key = ${sinceKey}), 0)`;
  return sql`
    select t.reference, case when t.from_account = ${venue} then t.amount::bigint else -t.amount::bigint end as signed
    from ledger.transfer t
    where t.id > ${since} and t.reason in ('trade_loss', 'trade_gain', 'trade_profit', 'performance_fee')
    union all
    select o.reference, case when o.from_account = ${venue} then -o.amount::bigint else o.amount::bigint end
    from ledger.transfer r cross join lateral (select * from ledger.transfer t where t.id = r.reverses offset 0) as o
    where r.reverses is not null and r.id > ${since} and o.reason in ('trade_loss', 'trade_gain', 'trade_profit', 'performance_fee')`;
};
