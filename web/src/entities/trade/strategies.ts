import type { StrategyName, StrategyParams } from '#contract/trading/strategy.ts';
import { plural, t } from '../../api/texts.ts';
import { numberOf } from '../../ui/forms/read-amount.ts';

export const strategyNames = ['session_hold', 'momentum', 'mean_reversion'] as const satisfies readonly StrategyName[];

export type Parameter = keyof StrategyParams;

/** Each strategy as members see it, and its parameters. */
export const strategyLabels = {
  session_hold: {
    name: t`Session hold`,
    sentence: t`Buys when the session opens and holds until it closes.`,
    parameters: [],
    perSession: t`One`,
  },
  momentum: {
    name: t`Momentum`,
    sentence: t`Buys while the price is above its moving average. Sells when it falls below.`,
    parameters: ['period'],
    perSession: t`Any number, or none`,
  },
  mean_reversion: {
    name: t`Mean reversion`,
    sentence: t`Buys when the price falls to the lower band under its moving average. Sells when it returns to the average.`,
    parameters: ['period', 'atr_multiple'],
    perSession: t`Any number, or none`,
  },
} as const satisfies Record<
  StrategyName,
  { name: string; sentence: string; parameters: readonly Parameter[]; perSession: string }
>;

/**
 * The contract's limits and defaults, repeated because its schema is never sent to a browser; a test compares the two.
 */
export const parameters = {
  period: { label: t`Moving average, candles`, min: 5, max: 100, step: 1, default: 20 },
  atr_multiple: { label: t`Lower band, × average true range`, min: 0.5, max: 5, step: 0.5, default: 2 },
} as const satisfies Record<Parameter, { label: string; min: number; max: number; step: number; default: number }>;

/** The parameters as text fields. */
export type ParameterDraft = Readonly<Record<Parameter, string>>;
export type ParameterErrors = Partial<Record<Parameter, string>>;

export const defaultParameters: ParameterDraft = {
  period: String(parameters.period.default),
  atr_multiple: String(parameters.atr_multiple.default),
};

/**
 * Parses the typed settings of a strategy: its own parameters only, or their errors in the contract's words.
 * `readParameters('momentum', { period: '3', atr_multiple: '2' })` says of the period: "From 5 to 100 candles."
 */
export function readParameters(
  strategy: StrategyName,
  draft: ParameterDraft,
): { params: StrategyParams } | { errors: ParameterErrors } {
  const params: Partial<Record<Parameter, number>> = {};
  const errors: ParameterErrors = {};
  for (const parameter of strategyLabels[strategy].parameters) {
    const error = errorOf(parameter, draft[parameter]);
    if (error === null) params[parameter] = numberOf(draft[parameter]);
    else errors[parameter] = error;
  }
  return Object.keys(errors).length === 0 ? { params } : { errors };
}

function errorOf(parameter: Parameter, typed: string): string | null {
  const value = numberOf(typed);
  const { min, max, step } = parameters[parameter];
  const isInLimits = value >= min && value <= max;
  if (parameter === 'period') {
    if (!Number.isFinite(value)) return t`Enter a number of candles.`;
    if (!Number.isInteger(value)) return t`A whole number of candles.`;
    return isInLimits ? null : t`From ${min} to ${max} candles.`;
  }
  if (!Number.isFinite(value)) return t`Enter a multiple.`;
  return isInLimits && Number.isInteger(value / step) ? null : t`From ${min} to ${max}, in steps of ${step}.`;
}

/** A strategy with its settings: `Momentum, 20 candles`, `Mean reversion, 20 candles, 2 × range`. */
export function strategyLine(strategy: StrategyName, params: StrategyParams): string {
  const parts: string[] = [strategyLabels[strategy].name];
  if (params.period !== undefined) parts.push(plural(params.period, { one: '# candle', other: '# candles' }));
  if (params.atr_multiple !== undefined) parts.push(t`${params.atr_multiple} × range`);
  return parts.join(', ');
}
