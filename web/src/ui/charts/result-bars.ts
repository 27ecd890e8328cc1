/** What bars are drawn of; null where there was no result at all. */
export type Result = { readonly key: string; readonly result: number | null };
export type ResultBar = Result & { readonly top: number; readonly height: number };

/** A bar that is not nothing stays visible. */
const LEAST_HEIGHT = 1;

/**
 * Bars up or down from one zero line, in a picture of height 100. Gains and losses share one scale, so that a loss
 * weighs as much as a gain of the same size. Results of +10 and −5 give 66.7 above the line and 33.3 below it.
 */
export function resultBars(results: readonly Result[]): { bars: ResultBar[]; zero: number } {
  const values = results.map(({ result }) => result ?? 0);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const span = highest - lowest || 1;
  const zero = highest === lowest ? 50 : (highest / span) * 100;
  const bars = results.map((item) => {
    const result = item.result ?? 0;
    const height = result === 0 ? 0 : Math.max((Math.abs(result) / span) * 100, LEAST_HEIGHT);
    return { ...item, height, top: result > 0 ? zero - height : zero };
  });
  return { bars, zero };
}
