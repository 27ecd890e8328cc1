import type { StrategyName, StrategyParams } from '#contract/trading/strategy.ts';

export const strategyNames = ['session_hold', 'momentum', 'mean_reversion'] as const satisfies readonly StrategyName[];

export type Knob = keyof StrategyParams;

/** What a member reads of each strategy, and which knobs it has. */
export const strategyWords = {
  session_hold: {
    name: 'Session hold',
    sentence: 'Buys when the session opens and holds until it closes.',
    knobs: [],
    perSession: 'Once a session',
  },
  momentum: {
    name: 'Momentum',
    sentence: 'Buys while the price is above its moving average, and sells when it no longer is.',
    knobs: ['period'],
    perSession: 'None, once or several times a session',
  },
  mean_reversion: {
    name: 'Mean reversion',
    sentence: 'Buys a dip under the moving average, and sells when the price is back at it.',
    knobs: ['period', 'atr_multiple'],
    perSession: 'None, once or several times a session',
  },
} as const satisfies Record<
  StrategyName,
  { name: string; sentence: string; knobs: readonly Knob[]; perSession: string }
>;

/** The contract's limits and defaults, whose schema never reaches a browser; the test holds the two together. */
export const knobs = {
  period: { label: 'Candles of the average', min: 5, max: 100, step: 1, default: 20 },
  atr_multiple: { label: 'Average true ranges to a dip', min: 0.5, max: 5, step: 0.5, default: 2 },
} as const satisfies Record<Knob, { label: string; min: number; max: number; step: number; default: number }>;

/** As the fields hold them while they are typed into. */
export type KnobDraft = Readonly<Record<Knob, number | string>>;
export type KnobMistakes = Partial<Record<Knob, string>>;

export const defaultKnobs: KnobDraft = { period: knobs.period.default, atr_multiple: knobs.atr_multiple.default };

/**
 * What was typed as the settings of a strategy: its own knobs only, or what is wrong with them in the contract's words.
 * `readKnobs('momentum', { period: 3, atr_multiple: 2 })` says of the period: "From 5 to 100 candles."
 */
export function readKnobs(
  strategy: StrategyName,
  draft: KnobDraft,
): { params: StrategyParams } | { mistakes: KnobMistakes } {
  const params: Partial<Record<Knob, number>> = {};
  const mistakes: KnobMistakes = {};
  for (const knob of strategyWords[strategy].knobs) {
    const mistake = mistakeOf(knob, draft[knob]);
    if (mistake === null) params[knob] = Number(draft[knob]);
    else mistakes[knob] = mistake;
  }
  return Object.keys(mistakes).length === 0 ? { params } : { mistakes };
}

function mistakeOf(knob: Knob, typed: number | string): string | null {
  const value = typed === '' ? Number.NaN : Number(typed);
  const { min, max, step } = knobs[knob];
  const isInLimits = value >= min && value <= max;
  if (knob === 'period') {
    if (!Number.isFinite(value)) return 'Enter a number of candles.';
    if (!Number.isInteger(value)) return 'A whole number of candles.';
    return isInLimits ? null : `From ${min} to ${max} candles.`;
  }
  if (!Number.isFinite(value)) return 'Enter a multiple.';
  return isInLimits && Number.isInteger(value / step) ? null : `From ${min} to ${max}, in steps of ${step}.`;
}

/** A strategy with its settings: `Momentum, 20 candles`, `Mean reversion, 20 candles, 2 × range`. */
export function strategyLine(strategy: StrategyName, params: StrategyParams): string {
  const parts: string[] = [strategyWords[strategy].name];
  if (params.period !== undefined) parts.push(`${params.period} candles`);
  if (params.atr_multiple !== undefined) parts.push(`${params.atr_multiple} × range`);
  return parts.join(', ');
}
