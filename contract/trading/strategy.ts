import { z } from 'zod';
import { english } from '../texts.ts';

const { t } = english;

export { type ReasonCode, type ReasonFacts, reasonCodes, reasonWords } from '../reasons.ts';

/**
 * The strategies a plan or a backtest chooses from (docs/product.md, section 3, "Plans"). Each looks at the closed
 * 15-minute candles of one asset whenever another one closes inside the session, and says what to do and why.
 */
export const strategyNames = ['session_hold', 'momentum', 'mean_reversion'] as const;
export type StrategyName = (typeof strategyNames)[number];

/** As screens name them. */
export const strategyTitles: Readonly<Record<StrategyName, string>> = {
  session_hold: t`Session hold`,
  momentum: t`Momentum`,
  mean_reversion: t`Mean reversion`,
};

/** Minutes of the candles that strategies look at. */
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
 * The parameters of the strategies; each uses its own (`strategyParameters`): `period` candles of the average (momentum and mean
 * reversion), and how many average true ranges under it a dip begins (mean reversion).
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

/** What a plan or a backtest says it wants of a strategy: only parameters of its own, the others by default. */
export const hasOnlyOwnParameters = (strategy: StrategyName, params: StrategyParams): boolean =>
  Object.entries(params).every(
    ([parameter, value]) =>
      value === undefined || (strategyParameters[strategy] as readonly string[]).includes(parameter),
  );
export const foreignParameterMessage = t`This strategy has no such setting.`;

/** The facts of a reason on the wire. */
export const reasonFacts = z.record(z.string(), z.number());
