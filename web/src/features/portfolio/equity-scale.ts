import type { Portfolio } from '#contract/trading.ts';

export type EquityPoint = { readonly at: number; readonly value: number; readonly putIn: number };

export const equityRanges = ['1W', '1M', '3M', 'All'] as const;
export type EquityRange = (typeof equityRanges)[number];

const DAY_MS = 86_400_000;
const rangeDays: Record<EquityRange, number> = { '1W': 7, '1M': 30, '3M': 91, All: Number.POSITIVE_INFINITY };

/** The points of the wire in time order, times in milliseconds. */
export const toEquityPoints = (equity: Portfolio['equity']): EquityPoint[] =>
  equity.map(({ time, value, put_in }) => ({ at: Date.parse(time), value, putIn: put_in })).sort((a, b) => a.at - b.at);

/** The points of the last days before the newest one; a range longer than the history is the whole history. */
export function inRange(points: readonly EquityPoint[], range: EquityRange): EquityPoint[] {
  const newest = points.at(-1);
  if (newest === undefined) return [];
  return points.filter((point) => point.at >= newest.at - rangeDays[range] * DAY_MS);
}

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
const round = (value: number) => Number(value.toPrecision(12));

export const WIDTH = 1000;
export const HEIGHT = 100;

/** Distance from the top in a picture of height 100. */
export const yOf = (value: number, { min, max }: Scale) => round(((max - value) / (max - min)) * HEIGHT);

/** Distance from the left in a picture of width 1000. */
export function xOf(at: number, points: readonly EquityPoint[]): number {
  const from = points[0]?.at ?? at;
  const to = points.at(-1)?.at ?? at;
  return to === from ? WIDTH : round(((at - from) / (to - from)) * WIDTH);
}

const path = (corners: readonly (readonly [x: number, y: number])[]) =>
  corners.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/**
 * Net worth as a line. Where money was put in or taken out between two points the line jumps straight up or down by
 * that amount, so that only results slope.
 */
export function worthPath(points: readonly EquityPoint[], scale: Scale): string {
  return path(
    points.flatMap((point, index) => {
      const x = xOf(point.at, points);
      const moved = point.putIn - (points[index - 1]?.putIn ?? point.putIn);
      const reached = [x, yOf(point.value, scale)] as const;
      return moved === 0 ? [reached] : [[x, yOf(point.value - moved, scale)] as const, reached];
    }),
  );
}

/** The line closed along the lower edge, for the flat tint under it. */
export const areaPath = (points: readonly EquityPoint[], scale: Scale) =>
  points.length === 0 ? '' : `${worthPath(points, scale)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`;

/** The money put in as steps: it stays as it was until the moment it changed. */
export function putInPath(points: readonly EquityPoint[], scale: Scale): string {
  return path(
    points.flatMap((point, index) => {
      const x = xOf(point.at, points);
      const before = points[index - 1]?.putIn ?? point.putIn;
      const reached = [x, yOf(point.putIn, scale)] as const;
      return before === point.putIn ? [reached] : [[x, yOf(before, scale)] as const, reached];
    }),
  );
}

/** The difference of the two lines. */
export const resultPath = (points: readonly EquityPoint[], scale: Scale) =>
  path(points.map((point) => [xOf(point.at, points), yOf(point.value - point.putIn, scale)] as const));

/** Where money came in or went out, for the words beside the step. */
export const putInSteps = (points: readonly EquityPoint[]) =>
  points.flatMap((point, index) => {
    const before = points[index - 1];
    return before === undefined || before.putIn === point.putIn
      ? []
      : [{ at: point.at, amount: point.putIn - before.putIn, middle: (point.putIn + before.putIn) / 2 }];
  });

/** Evenly spaced instants for the time axis: at most five, never more than there are days. */
export function timeTicks(points: readonly EquityPoint[]): number[] {
  const from = points[0]?.at;
  const to = points.at(-1)?.at;
  if (from === undefined || to === undefined) return [];
  if (from === to) return [to];
  const count = Math.min(Math.max(Math.floor((to - from) / DAY_MS) + 1, 2), 5);
  return Array.from({ length: count }, (_, index) => Math.round(from + ((to - from) * index) / (count - 1)));
}
