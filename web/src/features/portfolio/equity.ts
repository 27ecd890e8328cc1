import type { Portfolio } from '#contract/trading/portfolio.ts';
import { t } from '../../api/texts.ts';
import type { ChartPoint } from '../../ui/charts/chart-data.ts';

export type EquityPoint = {
  readonly at: number;
  readonly value: number;
  readonly netDeposits: number;
  /** What the net deposits would be worth under buy and hold; null before prices exist. */
  readonly held: number | null;
  readonly drawdown: number;
};

export type EquityRange = '1W' | '1M' | '3M' | '1Y';
export const equityRanges: readonly { value: EquityRange; label: string }[] = [
  { value: '1W', label: t`1W` },
  { value: '1M', label: t`1M` },
  { value: '3M', label: t`3M` },
  { value: '1Y', label: t`1Y` },
];

const DAY_MS = 86_400_000;
const rangeDays: Record<EquityRange, number> = { '1W': 7, '1M': 30, '3M': 91, '1Y': 366 };

/** The points of the response in time order, times in milliseconds. */
export const toEquityPoints = (equity: Portfolio['equity']): EquityPoint[] =>
  equity
    .map(({ time, put_in, ...point }) => ({ ...point, at: Date.parse(time), netDeposits: put_in }))
    .sort((a, b) => a.at - b.at);

/** The points of the last days up to the newest one; a range longer than the history is the whole history. */
export function inRange(points: readonly EquityPoint[], range: EquityRange): EquityPoint[] {
  const newest = points.at(-1);
  if (newest === undefined) return [];
  return points.filter((point) => point.at >= newest.at - rangeDays[range] * DAY_MS);
}

/** Just before an instant: the foot of a jump. */
const before = (at: number) => at - 1;

/**
 * Net worth as a line. A deposit or withdrawal between two points makes the line jump vertically by that amount, so
 * that only results slope.
 */
export const netWorthLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.flatMap(({ at, value, netDeposits }, index) => {
    const moved = netDeposits - (points[index - 1]?.netDeposits ?? netDeposits);
    return moved === 0
      ? [{ at, value }]
      : [
          { at: before(at), value: value - moved },
          { at, value },
        ];
  });

/** Net deposits, constant until the moment they change. */
export const netDepositsLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.map(({ at, netDeposits }) => ({ at, value: netDeposits }));

/**
 * The buy-and-hold benchmark, as far as it is known. Like the net worth it jumps at deposits and withdrawals, so that
 * only prices slope.
 */
export const buyAndHoldLine = (points: readonly EquityPoint[]): ChartPoint[] =>
  points.flatMap(({ at, held, netDeposits }, index) => {
    const last = points[index - 1];
    const moved = netDeposits - (last?.netDeposits ?? netDeposits);
    const isKnown = held !== null && last !== undefined && last.held !== null;
    return moved === 0 || !isKnown
      ? [{ at, value: held }]
      : [
          { at: before(at), value: held - moved },
          { at, value: held },
        ];
  });

/** Deposits and withdrawals, for the labels beside the jumps. */
export const netDepositSteps = (points: readonly EquityPoint[]) =>
  points.flatMap((point, index) => {
    const last = points[index - 1];
    return last === undefined || last.netDeposits === point.netDeposits
      ? []
      : [
          {
            at: point.at,
            amount: point.netDeposits - last.netDeposits,
            middle: (point.netDeposits + last.netDeposits) / 2,
          },
        ];
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
