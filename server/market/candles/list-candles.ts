import type { Candle, CandleInterval } from '#contract/market.ts';
import type { Db } from '#server/db/connect.ts';
import { getAssetRow } from '../assets/list-assets.ts';
import { ceilToStep, floorToStep } from '../core/candle.ts';
import { candleSources, intervalSeconds } from '../core/intervals.ts';
import { listStoredCandles } from './candle-sql.ts';

const MOST_CANDLES = 1500;

export type CandleQuery = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly from?: Date;
  readonly to?: Date;
};

/**
 * Candles that open in [from, to), oldest first; the newest 1 500 of them when there are more. The last one may still
 * be forming. Empty when the feed is coarser than the interval: candles are never made up.
 * @throws Refused asset_not_found
 */
export async function listCandles(db: Db, query: CandleQuery): Promise<Candle[]> {
  const asset = await getAssetRow(db, query.symbol);
  const interval = intervalSeconds[query.interval];
  const nowMs = asset.marketAt.getTime();
  const nextMs = floorToStep(nowMs, interval) + interval * 1000;
  const toMs = Math.min(nextMs, ceilToStep(query.to?.getTime() ?? nextMs, interval));
  const fromMs = Math.max(ceilToStep(query.from?.getTime() ?? 0, interval), toMs - MOST_CANDLES * interval * 1000);
  const sources = candleSources(interval, { fromMs, toMs, nowMs, feedStepSeconds: asset.stepSeconds });
  const candles = await listStoredCandles(db, asset.id, interval, sources);
  return candles.map(({ at, open, high, low, close, volume }) => ({
    time: at.toISOString(),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: volume === null ? null : Number(volume),
  }));
}
