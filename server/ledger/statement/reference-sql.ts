import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Reason } from '../core/flow.ts';

export type ReferencedRow = {
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
export async function listByKeyPrefix(db: Db, prefix: string, reference: string): Promise<ReferencedRow[]> {
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
export async function listByKeys(db: Db, keys: readonly string[]): Promise<ReferencedRow[]> {
  const { rows } = await sql<ReferencedRow>`
    with own as materialized (select * from ledger.transfer t where t.key = any(${keys}::text[]))
    select id, from_account, to_account, amount, reason, market_at, created_at, from_balance_after, to_balance_after from (
      select * from own
      union all
      select r.* from own join ledger.transfer r on r.reverses = own.id) as found
    order by id`.execute(db);
  return rows;
}
