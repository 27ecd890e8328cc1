import type { ReasonFacts } from '#contract/trading/strategy.ts';
import { averageTrueRange, comparable, meanClose } from './averages.ts';
import type { StrategyCandle } from './candle-window.ts';
import type { Decision } from './decision.ts';

/**
 * Buy a dip: enter when the last close is at or under mean − `atrMultiple` × average true range, both over the last
 * `period` candles; the first of `candles`, one more than these, gives only the close before them. A price that
 * stands still has no range and no dip.
 *
 * Closes 100, then 100, 100, 100, 100, 90 (period 5) with ranges 2, 2, 2, 2 and 10: the mean is 98, the average true
 * range 3.6; with a multiple of 2 a dip begins at 90.8, so 90 enters.
 */
export function enterMeanReversion(candles: readonly StrategyCandle[], atrMultiple: number): Decision {
  const ranged = readFacts(candles);
  const atr = averageTrueRange(candles);
  const dipAt = comparable(meanClose(candles.slice(1)) - atrMultiple * atr);
  const facts = { ...ranged, atr: comparable(atr), atr_multiple: atrMultiple, dip_at: dipAt };
  return facts.price <= dipAt && facts.price < facts.mean
    ? { action: 'enter', reason: 'dip', facts }
    : { action: 'wait', reason: 'no_dip', facts };
}

/** Sell when the close is back at the mean, or above it; else hold on, the session's close being the end of it. */
export function exitMeanReversion(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles);
  return facts.price >= facts.mean
    ? { action: 'exit', reason: 'back_at_average', facts }
    : { action: 'wait', reason: 'under_average', facts };
}

type MeanFacts = ReasonFacts & { readonly price: number; readonly mean: number; readonly period: number };

function readFacts(candles: readonly StrategyCandle[]): MeanFacts {
  const averaged = candles.slice(1);
  const last = averaged[averaged.length - 1] as StrategyCandle;
  return { price: comparable(last.close), mean: comparable(meanClose(averaged)), period: averaged.length };
}
