import type { CandleInterval } from '#contract/market.ts';
import type { TradeChart } from '#contract/trading/trade-detail.ts';
import type { Db } from '#server/db/connect.ts';
import { listCandles, listHeldTicks } from '#server/market/index.ts';
import type { TradeRow } from './trade-sql.ts';

const MINUTE_MS = 60_000;
/** What is shown before and after the life of the trade. */
const AIR_MS = 5 * MINUTE_MS;
/** A trade that waited for its opening is shown from here on: hours of waiting would leave no room for its life. */
const BEFORE_OPENING_MS = 60 * MINUTE_MS;
/** A longer hole means that market time was skipped: ticks would not show the whole life. */
const LONGEST_HOLE_MS = 15 * MINUTE_MS;
const MOST_TICKS = 3000;
const intervals: readonly [CandleInterval, number][] = [
  ['1m', MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['15m', 15 * MINUTE_MS],
  ['1h', 60 * MINUTE_MS],
  ['1d', 24 * 60 * MINUTE_MS],
];

type Stretch = { readonly from: Date; readonly to: Date };

/** Prices over the life of a trade: ticks while all are kept, else the shortest candles that cover it. */
export async function readTradeChart(db: Db, trade: TradeRow, marketAt: Date): Promise<TradeChart> {
  const stretch = stretchOf(trade, marketAt);
  return (await readTicks(db, trade.symbol, stretch)) ?? (await readCandles(db, trade.symbol, stretch));
}

function stretchOf({ requested_at: placed, opened_at: opened, closed_at: closed }: TradeRow, marketAt: Date): Stretch {
  const begins = Math.max(placed.getTime(), (opened ?? marketAt).getTime() - BEFORE_OPENING_MS);
  const ends = closed === null ? marketAt.getTime() : Math.min(closed.getTime() + AIR_MS, marketAt.getTime());
  return { from: new Date(begins - AIR_MS), to: new Date(Math.max(ends, begins) + 1) };
}

async function readTicks(db: Db, symbol: string, { from, to }: Stretch): Promise<TradeChart | undefined> {
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: MOST_TICKS });
  const seen = [from.getTime(), ...ticks.map(({ atMs }) => Math.max(atMs, from.getTime())), to.getTime()];
  const hasHole = seen.some((atMs, index) => atMs - (seen[index - 1] ?? atMs) >= LONGEST_HOLE_MS);
  if (hasHole || ticks.length < 2 || ticks.length >= MOST_TICKS) return undefined;
  return {
    kind: 'ticks',
    ticks: ticks.map(({ price, atMs }) => ({ time: new Date(atMs).toISOString(), price: Number(price) })),
  };
}

async function readCandles(db: Db, symbol: string, { from, to }: Stretch): Promise<TradeChart> {
  let found: TradeChart = { kind: 'candles', interval: '1d', candles: [] };
  for (const [interval, stepMs] of intervals) {
    const opens = new Date(Math.floor(from.getTime() / stepMs) * stepMs);
    const candles = await listCandles(db, { symbol, interval, from: opens, to });
    found = { kind: 'candles', interval, candles };
    const first = candles[0];
    // Short candles are kept for three days only, and their number is limited: longer ones cover the whole life.
    if (first !== undefined && Date.parse(first.time) - from.getTime() < Math.max(stepMs, LONGEST_HOLE_MS))
      return found;
  }
  return found;
}
