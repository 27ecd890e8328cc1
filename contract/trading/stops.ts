import { z } from 'zod';
import { english } from '../texts.ts';

const { t } = english;

/**
 * Stops (docs/product.md, section 3, "Stops"): percents in steps of 0.1. A stop-loss and a take-profit are measured
 * from the open price, a trailing stop from the highest mark since the trade opened or the stop was set. Each is
 * compared with the mark, and a trigger is filled at the first tick after it; on paper with feeds coarser than a
 * minute, at the next candle and no better than the stop's level.
 *
 * Opened at 100.05: a mark of 98.049 or less triggers a stop-loss of 2, one of 103.0515 or more a take-profit of 3.
 */
const STEP = 0.1;
const isInSteps = (percent: number): boolean => Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-9;

const percent = (max: number) =>
  z
    .number(t`Enter a percentage.`)
    .min(STEP, t`From ${STEP} to ${max}%.`)
    .max(max, t`From ${STEP} to ${max}%.`)
    .refine(isInSteps, t`In steps of ${STEP}%.`);

export const stopLimits = { stop_loss: 99.9, take_profit: 1000, trailing_stop: 50 } as const;

/** Percent; omitted or null for none. */
export const stopFields = {
  stop_loss: percent(stopLimits.stop_loss).nullish(),
  take_profit: percent(stopLimits.take_profit).nullish(),
  trailing_stop: percent(stopLimits.trailing_stop).nullish(),
};

/** Each independently: omitted leaves the stop unchanged, null removes it. */
export const stopsToSet = z
  .strictObject(stopFields)
  .refine((stops) => Object.values(stops).some((percent) => percent !== undefined), t`Name at least one stop.`);
export type StopChange = z.output<typeof stopsToSet>;

/** The percents set; null for none. */
export const stopPercents = z.strictObject({
  stop_loss: z.number().nullable(),
  take_profit: z.number().nullable(),
  trailing_stop: z.number().nullable(),
});
export type StopPercents = z.output<typeof stopPercents>;
