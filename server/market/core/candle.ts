import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';

/**
 * One candle as delivered by a feed. Prices are numbers with at most 15 significant decimal digits, which convert to
 * the same text exactly; they are only compared, never calculated with.
 */
export type FeedCandle = {
  /** Opening time in milliseconds since 1970. */
  readonly atMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Turnover in dollars. */
  readonly volume: number;
};

/** The last candle boundary at or before an instant. `floorToStep(Date.parse('2026-03-04T12:34:56Z'), 900)` is 12:30. */
export const floorToStep = (atMs: number, stepSeconds: number): number => atMs - (atMs % (stepSeconds * 1000));

/** The first candle boundary at or after an instant. */
export const ceilToStep = (atMs: number, stepSeconds: number): number =>
  floorToStep(atMs + stepSeconds * 1000 - 1, stepSeconds);

/**
 * Combines candles of one coin, oldest first, into longer ones: first open, highest high, lowest low, last close, total
 * turnover. A longer candle covers whatever was present in its time, even if incomplete.
 *
 * Worked: 12:00 (10, 12, 9, 11, $5) and 12:01 (11, 13, 10, 12, $7) become, at 900 seconds, 12:00 (10, 13, 9, 12, $12).
 */
export function aggregateCandles(candles: readonly FeedCandle[], stepSeconds: number): FeedCandle[] {
  const longer: FeedCandle[] = [];
  let current: { -readonly [K in keyof FeedCandle]: FeedCandle[K] } | undefined;
  for (const candle of candles) {
    const atMs = floorToStep(candle.atMs, stepSeconds);
    if (current?.atMs !== atMs) {
      current = { ...candle, atMs };
      longer.push(current);
      continue;
    }
    if (candle.high > current.high) current.high = candle.high;
    if (candle.low < current.low) current.low = candle.low;
    current.close = candle.close;
    current.volume = roundToCents(current.volume + candle.volume);
  }
  return longer;
}

/** Turnover sums keep two decimals, so that the order of addition does not matter. */
export const roundToCents = (dollars: number): number => Math.round(dollars * 100) / 100;

export type CandleTick = { readonly atMs: number; readonly price: number };

/**
 * The four prices a candle is played as (docs/product.md, section 3, "Ticks"): open at t, low then high at t + s/4 and
 * t + s/2, close at t + 3s/4; high before low when the candle closes below its open.
 *
 * Worked: the minute of 12:30:00 (open 100, high 104, low 99, close 103) is 100 at 12:30:00, 99 at :15, 104 at :30,
 * 103 at :45. With close 99.5 it is 100, 104, 99, 99.5.
 */
export function tickPath(candle: FeedCandle, stepSeconds: number): readonly CandleTick[] {
  const quarterMs = stepSeconds * 250;
  const falls = candle.close < candle.open;
  const prices = [candle.open, falls ? candle.high : candle.low, falls ? candle.low : candle.high, candle.close];
  return prices.map((price, index) => ({ atMs: candle.atMs + index * quarterMs, price }));
}

/** docs/product.md, section 3: stale when no tick arrived for this long after one was due. */
const MIN_PATIENCE_MS = 60_000;
const PATIENCE_STEPS = 3;

/**
 * The last instant at which a mark is valid. The next tick is due a quarter of the step later, with a tolerance of
 * max(60 s, 3 × step) (docs/product.md, section 3, "Ticks").
 *
 * Worked: one-minute candles, mark of 12:30:45. The next is due at 12:31:00; the mark is valid until 12:34:00.
 */
const freshUntilMs = (markAtMs: number, stepSeconds: number): number =>
  markAtMs + stepSeconds * 250 + Math.max(MIN_PATIENCE_MS, PATIENCE_STEPS * stepSeconds * 1000);

/** Whether there is no mark, or it is no longer valid. Worked: the mark above is stale at 12:34:00.001. */
export const isStale = (markAtMs: number | null, atMs: number, stepSeconds: number): boolean =>
  markAtMs === null || atMs > freshUntilMs(markAtMs, stepSeconds);

/** An accepted price, as decimal text; `quotedAtMs` is its own time, if it arrived later. */
export type StoredTick = { readonly price: string; readonly atMs: number; readonly quotedAtMs?: number | undefined };

const MINUTE_SECONDS = 60;
const MINUTE_MS = MINUTE_SECONDS * 1000;
/** More digits than any price has; only money is rounded (docs/product.md, section 2). */
const Exact = Decimal.clone({ precision: 40 });
const AVERAGE_DIGITS = 24;

/**
 * The time-weighted average over [fromMs, toMs), including the mark in force at `fromMs`. Null when there was none, or
 * when a mark went stale within the period: no price, no settlement (docs/product.md, section 3, "Session close"). A mark
 * counts from when it arrived, and holds from when it was quoted.
 * `ticks` are in time order and start with the mark in force at `fromMs`.
 *
 * Worked, over the minute of 17:29:00: the mark 100 of 17:28:45 is followed by 102 at 17:29:15, 104 at 17:29:30 and 101
 * at 17:29:45. Each holds 15 s: (100 + 102 + 104 + 101) ÷ 4 = 101.75.
 */
export function averagePrice(
  ticks: readonly StoredTick[],
  stretch: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): string | null {
  const { fromMs, toMs, stepSeconds } = stretch;
  assert(fromMs < toMs, 'an average needs a stretch of time');
  const first = ticks[0];
  if (first === undefined || first.atMs > fromMs) return null;
  let weighted = new Exact(0);
  for (const [index, tick] of ticks.entries()) {
    const heldUntilMs = Math.min(ticks[index + 1]?.atMs ?? toMs, toMs);
    const heldFromMs = Math.max(tick.atMs, fromMs);
    if (heldUntilMs <= heldFromMs) continue;
    if (heldUntilMs > freshUntilMs(tick.quotedAtMs ?? tick.atMs, stepSeconds)) return null;
    weighted = weighted.plus(new Exact(tick.price).times(heldUntilMs - heldFromMs));
  }
  return weighted
    .dividedBy(toMs - fromMs)
    .toSignificantDigits(AVERAGE_DIGITS)
    .toFixed();
}

/**
 * For an asset whose price came late: the average of the first full market minute that starts at or after the first
 * tick after `afterMs`, once it has passed without a mark going stale; null until then. `ticks` are those after
 * `afterMs`, in time order.
 *
 * Worked: nothing came from 17:28:45 on; after 17:30:00 the first tick is 99 at 17:41:15, then 98 at 17:42:30. The
 * minute is 17:42:00 to 17:43:00: 99 for 30 s and 98 for 30 s, 98.5.
 */
export function firstFreshMinute(
  ticks: readonly StoredTick[],
  stretch: { readonly afterMs: number; readonly nowMs: number; readonly stepSeconds: number },
): { price: string; fromMs: number } | null {
  for (const tick of ticks) {
    if (tick.atMs <= stretch.afterMs) continue;
    const fromMs = ceilToStep(tick.atMs, MINUTE_SECONDS);
    const toMs = fromMs + MINUTE_MS;
    if (toMs > stretch.nowMs) return null;
    const inForce = ticks.findLastIndex((other) => other.atMs <= fromMs);
    const price = averagePrice(ticks.slice(inForce), { ...stretch, fromMs, toMs });
    if (price !== null) return { price, fromMs };
  }
  return null;
}
