import { minimumTradeDollars } from '#contract/rules.ts';
import type { BacktestOrderInput } from '#contract/trading/backtest.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { t } from '../../api/texts.ts';
import { firstMistake, onlySet, readStops, type StopDraft, type StopMistakes } from '../../entities/trade/stops.ts';
import { type ParameterDraft, type ParameterMistakes, readParameters } from '../../entities/trade/strategies.ts';

/** As the form holds it while it is filled in. */
export type BacktestDraft = {
  readonly strategy: StrategyName | null;
  readonly parameters: ParameterDraft;
  readonly symbols: readonly string[];
  /** UTC days, `2026-03-04`. */
  readonly from: string;
  readonly to: string;
  readonly amount: number | null;
  readonly compounding: boolean;
  readonly stops: StopDraft;
};

export type BacktestField = 'strategy' | 'symbols' | 'from' | 'to' | 'amount' | 'params';
export type BacktestMistake = {
  /** undefined where the fields of a group say it themselves. */
  readonly field?: BacktestField | undefined;
  readonly message: string;
  readonly parameters?: ParameterMistakes;
  readonly stops?: StopMistakes;
};

/** The contract's limit, whose schema never reaches a browser; the test holds the two together. */
export const MOST_DAYS = 400;
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whole days from the first to the last, both counted. */
export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** `daysBefore('2026-03-04', 3) === '2026-03-01'` */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** What was filled in as a request, or the first thing that is wrong with it, from top to bottom. */
export function readOrder(draft: BacktestDraft): { order: BacktestOrderInput } | { mistake: BacktestMistake } {
  const { strategy, symbols, from, to, amount, compounding } = draft;
  const wrong = (field: BacktestField, message: string) => ({ mistake: { field, message } });
  if (strategy === null) return wrong('strategy', t`Choose a strategy.`);
  const setting = readParameters(strategy, draft.parameters);
  if ('mistakes' in setting)
    return { mistake: { message: Object.values(setting.mistakes)[0] ?? '', parameters: setting.mistakes } };
  if (symbols.length === 0) return wrong('symbols', t`Choose an asset.`);
  if (!DAY.test(from)) return wrong('from', t`Enter a date.`);
  if (!DAY.test(to)) return wrong('to', t`Enter a date.`);
  if (countDays(from, to) < 1) return wrong('to', t`The period ends before it begins.`);
  if (countDays(from, to) > MOST_DAYS) return wrong('to', t`At most ${MOST_DAYS} days.`);
  if (amount === null || amount / symbols.length < minimumTradeDollars.primary)
    return wrong('amount', t`At least $${minimumTradeDollars.primary} for each asset.`);
  const read = readStops(draft.stops);
  if ('mistakes' in read) return { mistake: { message: firstMistake(read.mistakes), stops: read.mistakes } };
  const params = setting.params;
  return { order: { strategy, params, symbols: [...symbols], from, to, amount, compounding, ...onlySet(read.stops) } };
}
