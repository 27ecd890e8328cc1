import { strategyCandleMinutes } from '#contract/trading/strategy.ts';

/** A closed 15-minute candle; prices in dollars. */
export type StrategyCandle = {
  /** Opening time in milliseconds since 1970. */
  readonly atMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

export const candleMs = strategyCandleMinutes * 60_000;

/**
 * The last `needed` candles before an instant, or how many there are without a gap when they are fewer: an average over
 * a hole would say something else than its name.
 *
 * Candles of 12:00 and 12:30, asked at 12:45 for 2: only 1 is there, for the one of 12:15 is missing.
 */
export function lastCandles(
  candles: readonly StrategyCandle[],
  needed: number,
  atMs: number,
): readonly StrategyCandle[] | { readonly found: number } {
  let found = 0;
  while (found < needed && candles[candles.length - 1 - found]?.atMs === atMs - (found + 1) * candleMs) found += 1;
  return found === needed ? candles.slice(candles.length - needed) : { found };
}
