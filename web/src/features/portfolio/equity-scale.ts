import type { Portfolio } from '#contract/trading/portfolio.ts';
import { HEIGHT, linePath, round, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';

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

/** Distance from the left in a picture of width 1000. */
export function xOf(at: number, points: readonly EquityPoint[]): number {
  const from = points[0]?.at ?? at;
  const to = points.at(-1)?.at ?? at;
  return to === from ? WIDTH : round(((at - from) / (to - from)) * WIDTH);
}

/**
 * Net worth as a line. Where money was put in or taken out between two points the line jumps straight up or down by
 * that amount, so that only results slope.
 */
export function worthPath(points: readonly EquityPoint[], scale: Scale): string {
  return linePath(
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
  return linePath(
    points.flatMap((point, index) => {
      const x = xOf(point.at, points);
      const before = points[index - 1]?.putIn ?? point.putIn;
      const reached = [x, yOf(point.putIn, scale)] as const;
      return before === point.putIn ? [reached] : [[x, yOf(before, scale)] as const, reached];
    }),
  );
}

/**
 * What simply holding would have given, in as many pieces as it is known in. Like the net worth it jumps where money moved,
 * so that only prices slope.
 */
export function heldPath(points: readonly EquityPoint[], scale: Scale): string {
  let path = '';
  let piece: (readonly [x: number, y: number])[] = [];
  for (const [index, { at, held, putIn }] of points.entries()) {
    if (held === null) {
      path += linePath(piece);
      piece = [];
      continue;
    }
    const x = xOf(at, points);
    const moved = putIn - (points[index - 1]?.putIn ?? putIn);
    if (moved !== 0 && piece.length > 0) piece.push([x, yOf(held - moved, scale)]);
    piece.push([x, yOf(held, scale)]);
  }
  return path + linePath(piece);
}

/** The difference of the two lines. */
export const resultPath = (points: readonly EquityPoint[], scale: Scale) =>
  linePath(points.map((point) => [xOf(point.at, points), yOf(point.value - point.putIn, scale)] as const));

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
