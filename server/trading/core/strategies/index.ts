import { strict as assert } from 'node:assert';
import {
  hasOnlyOwnKnobs,
  type StrategyName,
  type StrategyParams,
  strategyCandleMinutes,
  strategyDefaults,
  strategyKnobs,
} from '#contract/trading/strategy.ts';
import { candleMs, lastCandles, type StrategyCandle } from './candle-window.ts';
import type { Decision, DecisionMoment } from './decision.ts';
import { enterMeanReversion, exitMeanReversion } from './mean-reversion.ts';
import { enterMomentum, exitMomentum } from './momentum.ts';

export { candleMs, type StrategyCandle } from './candle-window.ts';
export type { Decision, DecisionMoment } from './decision.ts';

export type StrategySetting = { readonly strategy: StrategyName; readonly params: StrategyParams };

/**
 * A strategy with every knob it has, defaults filled in, in the order of `strategyKnobs`: two settings that mean the
 * same are written the same. Knobs of another strategy are a broken invariant; the contract refuses them before.
 *
 * `settingOf('momentum')` is `{ strategy: 'momentum', params: { period: 20 } }`.
 */
export function settingOf(strategy: StrategyName, params: StrategyParams = {}): StrategySetting {
  assert(hasOnlyOwnKnobs(strategy, params), `a knob that ${strategy} does not have`);
  const knobs = strategyKnobs[strategy].map((knob) => [knob, params[knob] ?? strategyDefaults[knob]]);
  return { strategy, params: Object.fromEntries(knobs) };
}

/**
 * How many closed candles without a gap a strategy wants to see: none for session hold, the period for momentum, and one
 * more for mean reversion, whose first true range needs the close before.
 */
export function lookbackCandles(setting: StrategySetting): number {
  if (setting.strategy === 'session_hold') return 0;
  const { period } = knobsOf(setting);
  return setting.strategy === 'momentum' ? period : period + 1;
}

/**
 * Whether to buy at a boundary, with nothing open (docs/strategies.md). Only the end of `candles` is looked at: the
 * last one must have closed exactly at the boundary. Nothing is bought at the session's last boundary, 17:15: no
 * decision follows it, so whatever was bought there could not be sold by the strategy any more.
 *
 * @param candles closed 15-minute candles, oldest first, the last one closed at `moment.atMs`
 */
export function decideEntry(
  setting: StrategySetting,
  candles: readonly StrategyCandle[],
  moment: DecisionMoment,
): Decision {
  checkMoment(moment);
  const minutesLeft = (moment.closesAtMs - moment.atMs) / 60_000;
  if (minutesLeft <= strategyCandleMinutes) return wait('too_late', { minutes_left: minutesLeft });
  if (setting.strategy === 'session_hold') {
    const isOpening = moment.atMs === moment.opensAtMs;
    return isOpening ? { action: 'enter', reason: 'session_opens', facts: {} } : wait('after_opening', {});
  }
  const seen = look(setting, candles, moment);
  if ('action' in seen) return seen;
  if (setting.strategy === 'momentum') return enterMomentum(seen.candles);
  return enterMeanReversion(seen.candles, knobsOf(setting).atr_multiple);
}

/**
 * Whether to sell at a boundary what is open; `wait` is to hold on, which is also the answer without prices. The close
 * of the session sells what is still open then.
 *
 * @param candles as for `decideEntry`
 */
export function decideExit(
  setting: StrategySetting,
  candles: readonly StrategyCandle[],
  moment: DecisionMoment,
): Decision {
  checkMoment(moment);
  if (setting.strategy === 'session_hold') return wait('holds_to_close', {});
  const seen = look(setting, candles, moment);
  if ('action' in seen) return seen;
  return setting.strategy === 'momentum' ? exitMomentum(seen.candles) : exitMeanReversion(seen.candles);
}

function look(
  setting: StrategySetting,
  candles: readonly StrategyCandle[],
  moment: DecisionMoment,
): Decision | { readonly candles: readonly StrategyCandle[] } {
  const needed = lookbackCandles(setting);
  const last = lastCandles(candles, needed, moment.atMs);
  return 'found' in last ? wait('no_prices', { found: last.found, needed }) : { candles: last };
}

const wait = (reason: Decision['reason'], facts: Decision['facts']): Decision => ({ action: 'wait', reason, facts });

const knobsOf = (setting: StrategySetting) => ({ ...strategyDefaults, ...setting.params });

function checkMoment({ atMs, opensAtMs, closesAtMs }: DecisionMoment): void {
  assert(atMs >= opensAtMs && atMs < closesAtMs, 'strategies decide inside a session');
  assert((atMs - opensAtMs) % candleMs === 0, 'strategies decide when a 15-minute candle closes');
}
