import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { ChartPoint } from '../../ui/charts/chart-data.ts';

export type EquityPoint = {
  readonly at: number;
  readonly value: number;
  readonly putIn: number;
  /** What the money put in would be worth if it had simply been held; null before prices exist. */
  readonly held: number | null;
  readonly drawdown: number;
};

export const equityRanges = ['1W', '1M', '3M', 'All'] as const;
export type EquityRange = (typeof equityRanges)[number];

const DAY_MS = 86_400_000;
const rangeDays: Record<EquityRange, number> = { '1W': 7, '1M': 30, '3M': 91, All: Number.POSITIVE_INFINITY };

/** The points of the wire in time order, times in milliseconds. */
export const toEquityPoints = (equity: Portfolio['equity']): EquityPoint[] =>
  equity
    .map(({ time, put_in, ...point }) => ({ ...point, at: Date.parse(time), putIn: put_in }))
    .sort((a, b) => a.at - b.at);

/** The points of the last days before the newest one; a range longer than the history is the whole history. */
export function inRange(points: readonly EquityPoint[], range: EquityRange): EquityPoint[] {
  const newest = points.at(-1);
  if (newest === undefined) return [];
  return points.filter((point) => point.at >= newest.at - rangeDays[range] * DAY_MS);
}

/** Right before an instant: the foot of a jump. */
const before = (at: number) => at - 1;

/**
 * Net worth as a line. Where money was put in or taken out between two points the line jumps straight up or down by
 * that amount, so that only results slope.
 */
export const worthLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.flatMap(({ at, value, putIn }, index) => {
    const moved = putIn - (points[index - 1]?.putIn ?? putIn);
    return moved === 0
      ? [{ at, value }]
      : [
          { at: before(at), value: value - moved },
          { at, value },
        ];
  });

/** The money put in, which stays as it was until the moment it changed. */
export const putInLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.map(({ at, putIn }) => ({ at, value: putIn }));

/**
 * What simply holding would have given, as far as it is known. Like the net worth it jumps where money moved, so that
 * only prices slope.
 */
export const heldLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.flatMap(({ at, held, putIn }, index) => {
    const last = points[index - 1];
    const moved = putIn - (last?.putIn ?? putIn);
    const isKnown = held !== null && last !== undefined && last.held !== null;
    return moved === 0 || !isKnown
      ? [{ at, value: held }]
      : [
          { at: before(at), value: held - moved },
          { at, value: held },
        ];
  });

/** Where money came in or went out, for the words beside the step. */
export const putInSteps = (points: readonly EquityPoint[]) =>
  points.flatMap((point, index) => {
    const last = points[index - 1];
    return last === undefined || last.putIn === point.putIn
      ? []
      : [{ at: point.at, amount: point.putIn - last.putIn, middle: (point.putIn + last.putIn) / 2 }];
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
