import { sql } from 'kysely';
import type { Candle, CandleInterval } from '#contract/market.ts';
import { symbols } from '#contract/rules.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { getAssetRow, listAssetRows } from '../assets/asset-sql.ts';
import { ceilToStep, type FeedCandle, floorToStep } from '../core/candle.ts';
import { candleSources, intervalSeconds, isKeptForGood, storedSteps } from '../core/intervals.ts';
import { listStoredCandles } from './candle-sql.ts';

const MAX_CANDLES = 1500;

export type CandleQuery = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/**
 * Candles that open in [from, to), oldest first; at most the newest 1 500. The last one may still be forming. Empty
 * when the feed is coarser than the interval: candles are never invented.
 *
 * @throws Refused asset_not_found
 */
export async function listCandles(db: Db, query: CandleQuery): Promise<Candle[]> {
  const asset = await getAssetRow(db, query.symbol);
  const interval = intervalSeconds[query.interval];
  const nowMs = asset.marketAt.getTime();
  const nextMs = floorToStep(nowMs, interval) + interval * 1000;
  const toMs = Math.min(nextMs, ceilToStep(query.to?.getTime() ?? nextMs, interval));
  const fromMs = Math.max(ceilToStep(query.from?.getTime() ?? 0, interval), toMs - MAX_CANDLES * interval * 1000);
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

/** Rows per query: enough for few queries, few enough to let other queries run in between. */
const CANDLES_PER_BATCH = 3000;

type CandleRange = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly from: Date;
  readonly to: Date;
};

/**
 * All closed candles that open in [from, to), oldest first, without a limit, for backtests. Forming candles are left
 * out, and gaps in the feed stay gaps.
 *
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
    const toMs = Math.min(untilMs, fromMs + CANDLES_PER_BATCH * interval * 1000);
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

/**
 * Prices of all assets at past instants: the close of the last candle completed by then, from the shortest permanent
 * candles (15 minutes, or the feed's step if coarser). The answer for an instant therefore never changes, whereas ticks
 * are deleted after three days. Assets without such a candle are left out: unknown is not zero.
 *
 * At 14:07 it is the close of the candle from 13:45 to 14:00, at 17:30 that from 17:15 to 17:30.
 */
export async function listPricesAt(db: Db, instants: readonly Date[]): Promise<PriceAt[]> {
  const [asset] = await listAssetRows(db);
  const stepSeconds = asset && storedSteps(asset.stepSeconds).findLast(isKeptForGood);
  return stepSeconds === undefined || instants.length === 0 ? [] : listClosesAt(db, stepSeconds, instants);
}

/** The close of an asset's last candle of one step completed by an instant; `price` is decimal text. */
type PriceAt = { readonly at: Date; readonly symbol: string; readonly price: string };

/** Reads the end of an index range for each asset and instant. Assets without a completed candle are left out. */
const listClosesAt = (db: Db, stepSeconds: number, instants: readonly Date[]) =>
  listRows(db)<PriceAt>`
    select i.at, a.symbol, c.close::text as price
    from unnest(${instants.map((instant) => instant.toISOString())}::timestamptz[]) as i(at)
    cross join (select id, symbol from market.asset order by id limit ${sql.lit(symbols.length)}) as a
    cross join lateral (
      select close from market.candle
      where asset_id = a.id and step_seconds = ${stepSeconds} and at <= i.at - make_interval(secs => ${stepSeconds})
      order by at desc limit 1) as c
    order by i.at, a.id`;
