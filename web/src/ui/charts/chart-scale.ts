/** Pictures are drawn in a box of this size and stretched to the place they have. */
export const WIDTH = 1000;
export const HEIGHT = 100;

export type Scale = { readonly min: number; readonly max: number; readonly ticks: readonly number[] };

/**
 * A scale whose lines stand at round numbers (1, 2, 2.5 or 5 times a power of ten) and which holds all values with
 * some air. It does not start at zero: the dashed line of the money put in is the measure, not the axis.
 * `niceScale([9012, 9800], 4)` has lines at 9000, 9250, 9500, 9750 and 10000
 */
export function niceScale(values: readonly number[], lines: number): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || Math.max(Math.abs(high) * 0.02, 1);
  const step = niceStep(span / lines);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
  return { min: round(first * step), max: round(last * step), ticks };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Takes off what binary fractions add, so that 3 × 0.1 is labelled 0.3. */
export const round = (value: number) => Number(value.toPrecision(12));

/** Distance from the top in a picture of height 100. */
export const yOf = (value: number, { min, max }: Scale) => round(((max - value) / (max - min)) * HEIGHT);

/** A line through corners. `linePath([[0, 50], [1000, 40]]) === 'M0.0 50.0L1000.0 40.0'` */
export const linePath = (corners: readonly (readonly [x: number, y: number])[]) =>
  corners.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
