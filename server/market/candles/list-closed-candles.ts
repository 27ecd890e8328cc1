import type { CandleInterval } from '#contract/market.ts';
import type { Db } from '#server/db/connect.ts';
import { getAssetRow } from '../assets/list-assets.ts';
import type { FeedCandle } from '../core/candle.ts';
import { ceilToStep, floorToStep } from '../core/candle.ts';
import { candleSources, intervalSeconds } from '../core/intervals.ts';
import { listStoredCandles } from './candle-sql.ts';

/** Rows of one query: enough that few are needed, few enough that other queries get their turn in between. */
const CANDLES_AT_ONCE = 3000;

export type CandleRange = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly from: Date;
  readonly to: Date;
};

/**
 * All closed candles that open in [from, to), oldest first, however many: what backtests read. Candles that are still
 * forming are left out, and nothing is made up where the feed has none.
 * @throws Refused asset_not_found
 */
export async function listClosedCandles(db: Db, range: CandleRange): Promise<FeedCandle[]> {
  const asset = await getAssetRow(db, range.symbol);
  const interval = intervalSeconds[range.interval];
  const nowMs = asset.marketAt.getTime();
  const untilMs = Math.min(floorToStep(nowMs, interval), ceilToStep(range.to.getTime(), interval));
  const candles: FeedCandle[] = [];
  let fromMs = ceilToStep(range.from.getTime(), interval);
  while (fromMs < untilMs) {
    const toMs = Math.min(untilMs, fromMs + CANDLES_AT_ONCE * interval * 1000);
    const sources = candleSources(interval, { fromMs, toMs, nowMs, feedStepSeconds: asset.stepSeconds });
    for (const { at, open, high, low, close, volume } of await listStoredCandles(db, asset.id, interval, sources)) {
      candles.push({
        atMs: at.getTime(),
        open: Number(open),
        high: Number(high),
        low: Number(low),
        close: Number(close),
        volume: Number(volume),
      });
    }
    fromMs = toMs;
  }
  return candles;
}
