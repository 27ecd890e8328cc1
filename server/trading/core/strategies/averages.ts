import assert from 'node:assert/strict';
import type { StrategyCandle } from './candle-window.ts';

const SIGNIFICANT_DIGITS = 12;

/**
 * A figure as strategies compare it: rounded to 12 significant digits, which is more than any price here has. Sums of
 * numbers carry errors in their 16th digit; without this a price that stands still would be found above or under its
 * own average by chance.
 *
 * `comparable(0.1 + 0.2) === 0.3`
 */
export const comparable = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS));

/** The simple moving average: the mean of the closes. Closes 100, 102, 104 give 102. */
export function meanClose(candles: readonly StrategyCandle[]): number {
  assert(candles.length > 0, 'an average needs a candle');
  let sum = 0;
  for (const candle of candles) sum += candle.close;
  return sum / candles.length;
}

/**
 * The average true range: the simple mean of max(high − low, |high − close before|, |low − close before|) over all
 * candles but the first, which only gives its close.
 *
 * Worked: a close of 100, then high 104 and low 101 closing at 103, then high 103 and low 97: the ranges are 4 (from
 * 100 to 104) and 6 (from 103 to 97), their mean is 5.
 */
export function averageTrueRange(candles: readonly StrategyCandle[]): number {
  assert(candles.length > 1, 'a true range needs the close before');
  let sum = 0;
  let before: number | undefined;
  for (const { high, low, close } of candles) {
    if (before !== undefined) sum += Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
    before = close;
  }
  return sum / (candles.length - 1);
}
