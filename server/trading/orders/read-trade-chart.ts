import type { CandleInterval } from '#contract/market.ts';
import type { TradeChart } from '#contract/trading/trade-detail.ts';
import type { Db } from '#server/db/connect.ts';
import { listCandles, listHeldTicks } from '#server/market/index.ts';
import type { TradeRow } from './trade-sql.ts';

const MINUTE_MS = 60_000;
/** Padding before and after the life of the trade. */
const PADDING_MS = 5 * MINUTE_MS;
/** Maximum time shown before the opening: hours in the queue would leave no room for the trade itself. */
const MAX_QUEUE_SHOWN_MS = 60 * MINUTE_MS;
/** A longer gap means that market time was skipped, so ticks would not cover the whole life. */
const MAX_GAP_MS = 15 * MINUTE_MS;
const MAX_TICKS = 3000;
const intervals: readonly [CandleInterval, number][] = [
  ['1m', MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['15m', 15 * MINUTE_MS],
  ['1h', 60 * MINUTE_MS],
  ['1d', 24 * 60 * MINUTE_MS],
];

type Period = { readonly from: Date; readonly to: Date };

/** Prices over the life of a trade: ticks while all are stored, otherwise the shortest candles that cover it. */
export async function readTradeChart(db: Db, trade: TradeRow, marketAt: Date): Promise<TradeChart> {
  const period = periodOf(trade, marketAt);
  return (await readTicks(db, trade.symbol, period)) ?? (await readCandles(db, trade.symbol, period));
}

function periodOf({ requested_at: placed, opened_at: opened, closed_at: closed }: TradeRow, marketAt: Date): Period {
  const begins = Math.max(placed.getTime(), (opened ?? marketAt).getTime() - MAX_QUEUE_SHOWN_MS);
  const ends = closed === null ? marketAt.getTime() : Math.min(closed.getTime() + PADDING_MS, marketAt.getTime());
  return { from: new Date(begins - PADDING_MS), to: new Date(Math.max(ends, begins) + 1) };
}

async function readTicks(db: Db, symbol: string, { from, to }: Period): Promise<TradeChart | undefined> {
  const ticks = await listHeldTicks(db, symbol, { from, to, limit: MAX_TICKS });
  const instants = [from.getTime(), ...ticks.map(({ atMs }) => Math.max(atMs, from.getTime())), to.getTime()];
  const hasGap = instants.some((atMs, index) => atMs - (instants[index - 1] ?? atMs) >= MAX_GAP_MS);
  if (hasGap || ticks.length < 2 || ticks.length >= MAX_TICKS) return undefined;
  return {
    kind: 'ticks',
    ticks: ticks.map(({ price, atMs }) => ({ time: new Date(atMs).toISOString(), price: Number(price) })),
  };
}

async function readCandles(db: Db, symbol: string, { from, to }: Period): Promise<TradeChart> {
  let found: TradeChart = { kind: 'candles', interval: '1d', candles: [] };
  for (const [interval, stepMs] of intervals) {
    const opens = new Date(Math.floor(from.getTime() / stepMs) * stepMs);
    const candles = await listCandles(db, { symbol, interval, from: opens, to });
    found = { kind: 'candles', interval, candles };
    const first = candles[0];
    // Short candles are retained for three days only and limited in number; longer ones cover the whole life.
    if (first !== undefined && Date.parse(first.time) - from.getTime() < Math.max(stepMs, MAX_GAP_MS)) return found;
  }
  return found;
}
