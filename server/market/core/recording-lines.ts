import { Decimal } from 'decimal.js';
import type { FeedCandle } from './candle.ts';
import { isWholeCandle } from './past-candles.ts';

/** The heading of a recording whose turnover is counted in coins. */
export const recordingHeading = 'time_utc_seconds,open,high,low,close,volume';

/** A recording's price has 15 digits and a point at most (core/recording.ts). */
const LONGEST_DECIMAL = 16;

/**
 * The lines of a recording for the candles that open in [fromMs, toMs), one for each step: where there is none, or one
 * that is no candle, a hole on purpose. `candles` are in time order.
 *
 * Worked, 60 s from 12:00 to 12:02, with the candle of 12:01 alone (100, 104, 99, 103, 2 coins): `1772625600,,,,,0` and
 * `1772625660,100,104,99,103,2`.
 */
export function recordingLines(
  candles: readonly (Omit<FeedCandle, 'volume'> & { readonly coins: number })[],
  stretch: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): string[] {
  const byTime = new Map(candles.filter(isWholeCandle).map((candle) => [candle.atMs, candle]));
  const lines: string[] = [];
  for (let atMs = stretch.fromMs; atMs < stretch.toMs; atMs += stretch.stepSeconds * 1000) {
    const candle = byTime.get(atMs);
    const { open, high, low, close, coins } = candle ?? {};
    const prices = [open, high, low, close].map((price) => (price === undefined ? '' : toDecimal(price)));
    lines.push([atMs / 1000, ...prices, coins !== undefined && coins >= 0 ? toDecimal(coins) : '0'].join(','));
  }
  return lines;
}

/** The number without an exponent, rounded to what fits; rounding keeps the order of prices. */
function toDecimal(value: number): string {
  const exact = new Decimal(value);
  const text = exact.toFixed();
  if (text.length <= LONGEST_DECIMAL) return text;
  return exact.toDecimalPlaces(LONGEST_DECIMAL - 1 - exact.trunc().toFixed().length).toFixed();
}
