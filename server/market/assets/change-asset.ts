import { strict as assert } from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { listSpreads, newestChanges } from './spread-sql.ts';

type SpreadOrder = {
  readonly symbol: string;
  /** The version of the asset that the operator saw. */
  readonly version: number;
  readonly spreadBps: number;
  readonly reason: string;
  readonly operatorId: bigint;
  readonly at: Date;
};

/**
 * Sets the spread of an asset from the next session on, in the transaction that audits it. An open session keeps its
 * own until it ends (docs/product.md, section 3).
 *
 * @returns the spread previously planned for the next session, and the current one
 * @throws Refused asset_not_found, asset_changed, spread_unchanged
 */
export async function changeSpread(tx: Tx, order: SpreadOrder): Promise<{ nextBps: number; inForceBps: number }> {
  const { symbol, spreadBps, reason, operatorId, at } = order;
  const { id, spreadBps: inForceBps } = await lockSeenAsset(tx, order);
  const nextBps = (await listSpreads(tx)).find((line) => line.symbol === symbol)?.next_bps ?? inForceBps;
  if (nextBps === spreadBps) throw new Refused('spread_unchanged');
  await execute(tx)`
    insert into market.spread_change (asset_id, before_bps, spread_bps, reason, operator_id, created_at)
    values (${id}, ${inForceBps}, ${spreadBps}, ${reason}, ${operatorId}, ${at})`;
  await execute(tx)`update market.asset set version = version + 1 where id = ${id}`;
  return { nextBps, inForceBps };
}

/**
 * Applies the newest spreads with the session of a day, in the transaction that opens it. The assets are locked first,
 * so a concurrent change is applied completely or left for the next session.
 */
export async function takeOverSpreads(tx: Tx, day: string): Promise<void> {
  assert(tx.isTransaction, 'a session opens with its spreads');
  await execute(tx)`select 1 from market.asset order by id for update`;
  await execute(tx)`
    with taken as (
      update market.spread_change c set first_session_on = ${day}::date
      from (${newestChanges}) as newest
      where c.id = newest.id and newest.first_session_on is null
      returning c.asset_id, c.spread_bps)
    update market.asset a set spread_bps = taken.spread_bps from taken where a.id = taken.asset_id`;
}

/**
 * Switches an asset, locked by `lockSeenAsset`, on or off for trading, in the transaction that audits it. Its prices
 * continue either way.
 */
export const setAssetActive = (tx: Tx, symbol: string, active: boolean) =>
  execute(tx)`update market.asset set active = ${active}, version = version + 1 where symbol = ${symbol}`;

type LockedAsset = {
  readonly id: number;
  readonly active: boolean;
  readonly version: number;
  readonly spreadBps: number;
};

/**
 * Locks an asset for an operator's decision if it is unchanged since they saw it: one decision at a time.
 *
 * @throws Refused asset_not_found, asset_changed
 */
export async function lockSeenAsset(
  tx: Tx,
  { symbol, version }: { readonly symbol: string; readonly version: number },
): Promise<LockedAsset> {
  assert(tx.isTransaction, 'a decision holds what it is about');
  const found = await findRow(tx)<LockedAsset>`
    select id, active, version, spread_bps as "spreadBps" from market.asset where symbol = ${symbol} for update`;
  const asset = orRefuse(found, 'asset_not_found');
  if (asset.version !== version) throw new Refused('asset_changed');
  return asset;
}
