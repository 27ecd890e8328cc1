import type { CandleInterval } from '#contract/market.ts';
import { floorToStep } from './candle.ts';

const QUARTER_HOUR_SECONDS = 900;
const DAY_SECONDS = 86_400;

export const intervalSeconds: Readonly<Record<CandleInterval, number>> = {
  '1m': 60,
  '5m': 300,
  '15m': QUARTER_HOUR_SECONDS,
  '1h': 3600,
  '1d': DAY_SECONDS,
};

/**
 * The steps in which candles are stored, longest first: one day, 15 minutes and the feed's own. Steps that are not a
 * multiple of the feed's are left out. `storedSteps(60)` is [86400, 900, 60], `storedSteps(3600)` is [86400, 3600].
 */
export const storedSteps = (feedStepSeconds: number): number[] => [
  ...[DAY_SECONDS, QUARTER_HOUR_SECONDS].filter((step) => step > feedStepSeconds && step % feedStepSeconds === 0),
  feedStepSeconds,
];

/** Ticks and candles shorter than 15 minutes are retained for three days of market time, longer ones permanently. */
export const keptDays = 3;
export const isKeptForGood = (stepSeconds: number): boolean => stepSeconds >= QUARTER_HOUR_SECONDS;

/** Stored candles of one step that open in [fromMs, toMs). */
export type CandleSource = { readonly stepSeconds: number; readonly fromMs: number; readonly toMs: number };

/**
 * The stored candles from which an interval in [fromMs, toMs) is read at market time `nowMs`: the longest stored step
 * as far as complete, then shorter ones. Empty when the feed is coarser than the interval.
 *
 * Worked: one-minute feed, now 12:34:00, one hour from 10:00 to 13:00: 15-minute candles from 10:00 to 12:30, then
 * one-minute candles from 12:30 to 13:00.
 */
export function candleSources(
  interval: number,
  stretch: { readonly fromMs: number; readonly toMs: number; readonly nowMs: number; readonly feedStepSeconds: number },
): CandleSource[] {
  const sources: CandleSource[] = [];
  let fromMs = stretch.fromMs;
  for (const stepSeconds of storedSteps(stretch.feedStepSeconds)) {
    if (interval % stepSeconds !== 0) continue;
    const isShortest = stepSeconds === stretch.feedStepSeconds;
    const completeMs = isShortest ? stretch.toMs : floorToStep(stretch.nowMs, stepSeconds);
    const toMs = Math.min(completeMs, stretch.toMs);
    if (toMs > fromMs) sources.push({ stepSeconds, fromMs, toMs });
    fromMs = Math.max(fromMs, toMs);
  }
  return sources;
}
