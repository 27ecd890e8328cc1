import type { ReasonFacts } from '#contract/trading/strategy.ts';
import { comparable, meanClose } from './averages.ts';
import type { StrategyCandle } from './candle-window.ts';
import type { Decision } from './decision.ts';

/**
 * Enter while the last close is above the mean of the last `period` closes, itself among them.
 *
 * Closes 100, 101, 102, 103, 109 (period 5): the mean is 103, so 109 enters. With 94 last the mean is 100 and nothing
 * is bought.
 */
export function enterMomentum(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles);
  return isAbove(facts)
    ? { action: 'enter', reason: 'above_average', facts }
    : { action: 'wait', reason: 'not_above_average', facts };
}

/** Sell when it is not above any more. */
export function exitMomentum(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles);
  return isAbove(facts)
    ? { action: 'wait', reason: 'still_above_average', facts }
    : { action: 'exit', reason: 'fell_to_average', facts };
}

type MomentumFacts = ReasonFacts & { readonly price: number; readonly mean: number; readonly period: number };

const isAbove = (facts: MomentumFacts) => facts.price > facts.mean;

function readFacts(candles: readonly StrategyCandle[]): MomentumFacts {
  const last = candles[candles.length - 1] as StrategyCandle;
  return { price: comparable(last.close), mean: comparable(meanClose(candles)), period: candles.length };
}
