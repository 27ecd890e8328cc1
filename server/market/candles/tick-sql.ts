import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { getAssetRow } from '../assets/asset-sql.ts';
import { averagePrice, firstFreshMinute, type StoredTick } from '../core/candle.ts';

/** A mark price at an instant of market time; `price` is decimal text. */
export type Price = { readonly symbol: string; readonly price: string; readonly at: Date };

/** `quotedAtMs` is the price's own time, if it arrived later. */
export type NewTick = {
  readonly assetId: number;
  readonly atMs: number;
  readonly quotedAtMs?: number;
  readonly price: number;
};

export async function insertTicks(tx: Tx, ticks: readonly NewTick[]): Promise<void> {
  if (ticks.length === 0) return;
  await execute(tx)`
    insert into market.tick (asset_id, at, quoted_at, price)
    select asset_id, to_timestamp(at), nullif(to_timestamp(quoted_at), to_timestamp(at)), price from unnest(
      ${ticks.map((tick) => tick.assetId)}::smallint[], ${ticks.map((tick) => tick.atMs / 1000)}::float8[],
      ${ticks.map(({ quotedAtMs, atMs }) => (quotedAtMs ?? atMs) / 1000)}::float8[],
      ${ticks.map((tick) => tick.price.toString())}::numeric[]) as n (asset_id, at, quoted_at, price)`;
}

/** Every stored price in (after, upTo] of market time, oldest first; within an instant in the order of assets. */
export const listTicks = (db: Db | Tx, stretch: { after: Date; upTo: Date }) =>
  listRows(db)<Price>`
    select a.symbol, t.price::text as price, t.at
    from market.asset a cross join lateral (
      select price, at from market.tick
      where asset_id = a.id and at > ${stretch.after} and at <= ${stretch.upTo} order by at) as t
    order by t.at, a.id`;

/** Ticks of one asset until `to` or, when `to` is null, the first `limit`; starts with the tick in force at `from`. */
export async function listHeldTicks(
  db: Db | Tx,
  symbol: string,
  stretch: { from: Date; to: Date | null; limit: number },
): Promise<StoredTick[]> {
  const rows = await listRows(db)<{ price: string; at: Date; quotedAt: Date | null }>`
    with asset as materialized (select id from market.asset where symbol = ${symbol})
    (select t.price::text as price, t.at, t.quoted_at as "quotedAt" from market.tick t, asset
      where t.asset_id = asset.id and t.at <= ${stretch.from} order by t.at desc limit 1)
    union all
    (select t.price::text, t.at, t.quoted_at from market.tick t, asset
      where t.asset_id = asset.id and t.at > ${stretch.from}
        and (${stretch.to}::timestamptz is null or t.at < ${stretch.to}) order by t.at limit ${stretch.limit})
    order by at`;
  return rows.map(({ price, at, quotedAt }) => ({ price, atMs: at.getTime(), quotedAtMs: quotedAt?.getTime() }));
}

export const deleteTicksBefore = (tx: Tx, at: Date) =>
  execute(tx)`
    delete from market.tick where asset_id = any (array(select id from market.asset)) and at < ${at}`;

/** Ticks of many hours: a fresh minute follows the first of them, unless prices stop again at once. */
const TICKS_SEARCHED = 2000;

/**
 * The time-weighted average of the marks over [from, to), as decimal text, including the mark in force at `from`
 * (docs/product.md, section 3, "Session close"). Null when the asset is stale at any point, and until market time
 * reaches `to`.
 *
 * @throws Refused asset_not_found
 */
export async function findAveragePrice(db: Db | Tx, symbol: string, from: Date, to: Date): Promise<string | null> {
  const asset = await getAssetRow(db, symbol);
  if (asset.marketAt < to) return null;
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: Number.MAX_SAFE_INTEGER });
  return averagePrice(ticks, { fromMs: from.getTime(), toMs: to.getTime(), stepSeconds: asset.stepSeconds });
}

/**
 * For a settlement without a timely price: the average of the first full market minute after `after` in which the asset
 * is fresh again, and the start of that minute; null until there is one.
 *
 * @throws Refused asset_not_found
 */
export async function findFirstFreshMinuteAverage(
  db: Db | Tx,
  symbol: string,
  after: Date,
): Promise<{ price: string; from: Date } | null> {
  const asset = await getAssetRow(db, symbol);
  const ticks = await listHeldTicks(db, symbol, { from: after, to: null, limit: TICKS_SEARCHED });
  const found = firstFreshMinute(ticks, {
    afterMs: after.getTime(),
    nowMs: asset.marketAt.getTime(),
    stepSeconds: asset.stepSeconds,
  });
  return found && { price: found.price, from: new Date(found.fromMs) };
}
