import type { Db, Tx } from '#server/db/connect.ts';
import { getAssetRow } from '../assets/list-assets.ts';
import { averagePrice, firstFreshMinute } from '../core/average-price.ts';
import { listHeldTicks } from './tick-sql.ts';

/** Ticks of many hours; a fresh minute follows the first of them, unless prices stop again at once. */
const TICKS_SEARCHED = 2000;

/**
 * The time-weighted average of the marks over [from, to), as decimal text: each mark weighted by how long it held, the
 * one in force at `from` included (docs/product.md, section 3, "Session close"). null when the asset is stale anywhere
 * in it, and while market time has not come to `to`.
 * @throws Refused asset_not_found
 */
export async function findAveragePrice(db: Db | Tx, symbol: string, from: Date, to: Date): Promise<string | null> {
  const asset = await getAssetRow(db, symbol);
  if (asset.marketAt < to) return null;
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: Number.MAX_SAFE_INTEGER });
  return averagePrice(ticks, { fromMs: from.getTime(), toMs: to.getTime(), stepSeconds: asset.stepSeconds });
}

/**
 * For a settlement that had no price in time: the average of the first full market minute after `after` in which the
 * asset is fresh again, and when that minute began; null while there is none.
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
