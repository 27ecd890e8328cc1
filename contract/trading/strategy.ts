import { z } from 'zod';
import { english } from '../texts.ts';

const { t } = english;

export { type ReasonCode, type ReasonFacts, reasonCodes, reasonWords } from '../reasons.ts';

/**
 * The strategies of plans and backtests (docs/product.md, section 3, "Plans"). Each evaluates the closed 15-minute
 * candles of one asset whenever one closes within the session, and returns a decision with its reason.
 */
export const strategyNames = ['session_hold', 'momentum', 'mean_reversion'] as const;
export type StrategyName = (typeof strategyNames)[number];

/** Titles on screens. */
export const strategyTitles: Readonly<Record<StrategyName, string>> = {
  session_hold: t`Session hold`,
  momentum: t`Momentum`,
  mean_reversion: t`Mean reversion`,
};

/** Candle length for strategies, in minutes. */
export const strategyCandleMinutes = 15;

const period = z
  .number(t`Enter a number of candles.`)
  .int(t`A whole number of candles.`)
  .min(5, t`From 5 to 100 candles.`)
  .max(100, t`From 5 to 100 candles.`);
const atrMultiple = z
  .number(t`Enter a multiple.`)
  .min(0.5, t`From 0.5 to 5, in steps of 0.5.`)
  .max(5, t`From 0.5 to 5, in steps of 0.5.`)
  .multipleOf(0.5, t`From 0.5 to 5, in steps of 0.5.`);

/**
 * Parameters of the strategies; each uses its own (`strategyParameters`): `period`, the candles of the average
 * (momentum and mean reversion), and `atr_multiple`, the lower band's distance in average true ranges (mean reversion).
 */
export const strategyParams = z.strictObject({ period: period.optional(), atr_multiple: atrMultiple.optional() });
export type StrategyParams = z.output<typeof strategyParams>;

export const strategyDefaults = { period: 20, atr_multiple: 2 } as const;

/** Which parameters a strategy has. */
export const strategyParameters = {
  session_hold: [],
  momentum: ['period'],
  mean_reversion: ['period', 'atr_multiple'],
} as const satisfies Record<StrategyName, readonly (keyof StrategyParams)[]>;

/** Whether only the strategy's own parameters are given; omitted ones take their defaults. */
export const hasOnlyOwnParameters = (strategy: StrategyName, params: StrategyParams): boolean =>
  Object.entries(params).every(
    ([parameter, value]) =>
      value === undefined || (strategyParameters[strategy] as readonly string[]).includes(parameter),
  );
export const foreignParameterMessage = t`This strategy has no such setting.`;

/** The values of a reason on the wire. */
export const reasonFacts = z.record(z.string(), z.number());
