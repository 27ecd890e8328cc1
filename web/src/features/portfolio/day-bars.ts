import type { Portfolio } from '#contract/trading/portfolio.ts';

export type DayResult = Pick<Portfolio['realised_by_day'][number], 'day' | 'trades' | 'result'>;
export type DayBar = DayResult & { readonly top: number; readonly height: number };

/** A bar that is not nothing stays visible. */
const LEAST_HEIGHT = 1;

/**
 * Bars up or down from one zero line, in a picture of height 100. Gains and losses share one scale, so that a loss
 * weighs as much as a gain of the same size. Days of +10 and −5 give 66.7 above the line and 33.3 below it.
 */
export function dayBars(days: readonly DayResult[]): { bars: DayBar[]; zero: number } {
  const highest = Math.max(0, ...days.map((day) => day.result));
  const lowest = Math.min(0, ...days.map((day) => day.result));
  const span = highest - lowest || 1;
  const zero = highest === lowest ? 50 : (highest / span) * 100;
  const bars = days.map((day) => {
    const height = day.result === 0 ? 0 : Math.max((Math.abs(day.result) / span) * 100, LEAST_HEIGHT);
    return { ...day, height, top: day.result > 0 ? zero - height : zero };
  });
  return { bars, zero };
}

/** The days with the highest and the lowest result, null while there are none. */
export function bestAndWorstDay(days: readonly DayResult[]): { best: DayResult; worst: DayResult } | null {
  const [first, ...rest] = days;
  if (first === undefined) return null;
  return rest.reduce(
    ({ best, worst }, day) => ({
      best: day.result > best.result ? day : best,
      worst: day.result < worst.result ? day : worst,
    }),
    { best: first, worst: first },
  );
}
