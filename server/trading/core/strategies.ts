import { strict as assert } from 'node:assert';
import {
  hasOnlyOwnParameters,
  type ReasonCode,
  type ReasonFacts,
  type StrategyName,
  type StrategyParams,
  strategyCandleMinutes,
  strategyDefaults,
  strategyParameters,
} from '#contract/trading/strategy.ts';

export type StrategySetting = { readonly strategy: StrategyName; readonly params: StrategyParams };

/**
 * A strategy with all its parameters, defaults filled in, in the order of `strategyParameters`: equal settings have
 * equal text. Parameters of another strategy are a broken invariant, because the contract refuses them earlier.
 *
 * `settingOf('momentum')` is `{ strategy: 'momentum', params: { period: 20 } }`.
 */
export function settingOf(strategy: StrategyName, params: StrategyParams = {}): StrategySetting {
  assert(hasOnlyOwnParameters(strategy, params), `a parameter that ${strategy} does not have`);
  const parameters = strategyParameters[strategy].map((parameter) => [
    parameter,
    params[parameter] ?? strategyDefaults[parameter],
  ]);
  return { strategy, params: Object.fromEntries(parameters) };
}

/**
 * Number of consecutive closed candles a strategy needs: none for session hold, the period for momentum, and one more
 * for mean reversion, whose first true range needs the previous close.
 */
export function lookbackCandles(setting: StrategySetting): number {
  if (setting.strategy === 'session_hold') return 0;
  const { period } = parametersOf(setting);
  return setting.strategy === 'momentum' ? period : period + 1;
}

/**
 * Whether to buy at a boundary, with nothing open (docs/trading.md, "Strategies"). Only the end of `candles` is used:
 * the last one must have closed exactly at the boundary. Nothing is bought at the session's last boundary, 17:15,
 * because no decision follows at which the strategy could sell.
 *
 * @param candles closed 15-minute candles, oldest first, the last one closed at `boundary.atMs`
 */
export function decideEntry(
  setting: StrategySetting,
  candles: readonly StrategyCandle[],
  boundary: Boundary,
): Decision {
  checkBoundary(boundary);
  const minutesLeft = (boundary.closesAtMs - boundary.atMs) / 60_000;
  if (minutesLeft <= strategyCandleMinutes) return wait('too_late', { minutes_left: minutesLeft });
  if (setting.strategy === 'session_hold') {
    const isOpening = boundary.atMs === boundary.opensAtMs;
    return isOpening ? { action: 'enter', reason: 'session_opens', facts: {} } : wait('after_opening', {});
  }
  const history = readCandles(setting, candles, boundary);
  if ('action' in history) return history;
  if (setting.strategy === 'momentum') return enterMomentum(history.candles);
  return enterMeanReversion(history.candles, parametersOf(setting).atr_multiple);
}

/**
 * Whether to sell an open position at a boundary; `wait` means hold, also without prices. The session's close sells
 * what remains open.
 *
 * @param candles as for `decideEntry`
 */
export function decideExit(setting: StrategySetting, candles: readonly StrategyCandle[], boundary: Boundary): Decision {
  checkBoundary(boundary);
  if (setting.strategy === 'session_hold') return wait('holds_to_close', {});
  const history = readCandles(setting, candles, boundary);
  if ('action' in history) return history;
  return setting.strategy === 'momentum' ? exitMomentum(history.candles) : exitMeanReversion(history.candles);
}

function readCandles(
  setting: StrategySetting,
  candles: readonly StrategyCandle[],
  boundary: Boundary,
): Decision | { readonly candles: readonly StrategyCandle[] } {
  const needed = lookbackCandles(setting);
  const last = lastCandles(candles, needed, boundary.atMs);
  return 'found' in last ? wait('no_prices', { found: last.found, needed }) : { candles: last };
}

const wait = (reason: Decision['reason'], facts: Decision['facts']): Decision => ({ action: 'wait', reason, facts });

const parametersOf = (setting: StrategySetting) => ({ ...strategyDefaults, ...setting.params });

function checkBoundary({ atMs, opensAtMs, closesAtMs }: Boundary): void {
  assert(atMs >= opensAtMs && atMs < closesAtMs, 'strategies decide inside a session');
  assert((atMs - opensAtMs) % candleMs === 0, 'strategies decide when a 15-minute candle closes');
}

/** A strategy's decision at a boundary, and why: `wait` means not to enter, or to keep holding. */
export type Decision = {
  readonly action: 'enter' | 'exit' | 'wait';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};

/** A 15-minute boundary within a session, in milliseconds since 1970. */
export type Boundary = { readonly atMs: number; readonly opensAtMs: number; readonly closesAtMs: number };

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
 * The last `needed` candles before an instant, or fewer if there is a gap: an average across a gap would be misleading.
 *
 * Candles of 12:00 and 12:30, requested at 12:45 for 2: only 1, because the one of 12:15 is missing.
 */
function lastCandles(
  candles: readonly StrategyCandle[],
  needed: number,
  atMs: number,
): readonly StrategyCandle[] | { readonly found: number } {
  let found = 0;
  while (found < needed && candles[candles.length - 1 - found]?.atMs === atMs - (found + 1) * candleMs) found += 1;
  return found === needed ? candles.slice(candles.length - needed) : { found };
}

const SIGNIFICANT_DIGITS = 12;

/**
 * Rounds a figure for comparison to 12 significant digits, more than any price has. Floating-point sums err in the 16th
 * digit; without rounding, a constant price could be above or below its own average by chance.
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
 * The average true range: the simple mean of max(high − low, |high − previous close|, |low − previous close|) over all
 * candles except the first, which only supplies its close.
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

/**
 * Enter while the last close is above the mean of the last `period` closes, including itself.
 *
 * Closes 100, 101, 102, 103, 109 (period 5): the mean is 103, so 109 enters. With 94 last the mean is 100 and nothing
 * is bought.
 */
function enterMomentum(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles);
  return isAbove(facts)
    ? { action: 'enter', reason: 'above_average', facts }
    : { action: 'wait', reason: 'not_above_average', facts };
}

/** Exit when the last close is no longer above the mean. */
function exitMomentum(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles);
  return isAbove(facts)
    ? { action: 'wait', reason: 'still_above_average', facts }
    : { action: 'exit', reason: 'fell_to_average', facts };
}

const isAbove = (facts: MeanFacts) => facts.price > facts.mean;

/**
 * Buy a dip: enter when the last close is at or below mean − `atrMultiple` × average true range, both over the last
 * `period` candles; the first of `candles`, one more than these, only supplies the previous close. A constant price has
 * no range and no dip.
 *
 * Closes 100, then 100, 100, 100, 100, 90 (period 5) with ranges 2, 2, 2, 2 and 10: the mean is 98, the average true
 * range 3.6; with a multiple of 2 a dip begins at 90.8, so 90 enters.
 */
function enterMeanReversion(candles: readonly StrategyCandle[], atrMultiple: number): Decision {
  const ranged = readFacts(candles.slice(1));
  const atr = averageTrueRange(candles);
  const dipAt = comparable(meanClose(candles.slice(1)) - atrMultiple * atr);
  const facts = { ...ranged, atr: comparable(atr), atr_multiple: atrMultiple, dip_at: dipAt };
  return facts.price <= dipAt && facts.price < facts.mean
    ? { action: 'enter', reason: 'dip', facts }
    : { action: 'wait', reason: 'no_dip', facts };
}

/** Exit when the close is at or above the mean; otherwise hold until the session's close. */
function exitMeanReversion(candles: readonly StrategyCandle[]): Decision {
  const facts = readFacts(candles.slice(1));
  return facts.price >= facts.mean
    ? { action: 'exit', reason: 'back_at_average', facts }
    : { action: 'wait', reason: 'under_average', facts };
}

type MeanFacts = ReasonFacts & { readonly price: number; readonly mean: number; readonly period: number };

function readFacts(candles: readonly StrategyCandle[]): MeanFacts {
  const last = candles[candles.length - 1] as StrategyCandle;
  return { price: comparable(last.close), mean: comparable(meanClose(candles)), period: candles.length };
}
