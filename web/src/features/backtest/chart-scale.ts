import type { BacktestResult } from '#contract/trading/backtest.ts';
import { HEIGHT, linePath, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';

/** One session on the picture, or the beginning before the first. */
export type ChartPoint = { readonly at: number; readonly value: number; readonly hold: number };
type Result = Pick<BacktestResult, 'equity' | 'hold'> & { readonly stats: { readonly put_in: number } };

const SESSION_MS = 5 * 3_600_000;

/** What was put in at the first opening, then one point a session: what the strategy and what holding had come to. */
export function toChartPoints({ equity, hold, stats }: Result): ChartPoint[] {
  const points = equity.map(({ time, value }, index) => ({
    at: Date.parse(time),
    value,
    hold: hold[index]?.value ?? stats.put_in,
  }));
  const first = points[0];
  return first === undefined ? [] : [{ at: first.at - SESSION_MS, value: stats.put_in, hold: stats.put_in }, ...points];
}

/** Sessions stand side by side, whatever lies between them. */
const xOf = (index: number, count: number): number => (count < 2 ? WIDTH : (index / (count - 1)) * WIDTH);

/** The line of values from the left edge to the right one. */
export const valuePath = (values: readonly number[], scale: Scale): string =>
  linePath(values.map((value, index) => [xOf(index, values.length), yOf(value, scale)]));

/** The line closed along the lower edge, for the flat tint under it. */
export const areaPath = (values: readonly number[], scale: Scale): string =>
  values.length === 0 ? '' : `${valuePath(values, scale)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`;

const MOST_LABELS = 5;

/** Evenly spaced instants for the labels below: at most five, the first and the last among them. */
export function axisTimes(points: readonly ChartPoint[]): number[] {
  const count = Math.min(MOST_LABELS, points.length);
  return Array.from({ length: count }, (_, index) => {
    const place = count < 2 ? 0 : Math.round((index / (count - 1)) * (points.length - 1));
    return points[place]?.at ?? 0;
  });
}

export type SessionBar = BacktestResult['sessions'][number] & { readonly top: number; readonly height: number };

/** A bar that is not nothing stays visible. */
const LEAST_HEIGHT = 1;

/**
 * Bars up or down from one zero line, in a picture of height 100. Gains and losses share one scale, so that a losing
 * session is drawn as large as a winning one: +10 and −5 give 66.7 above the line and 33.3 below it.
 */
export function sessionBars(sessions: BacktestResult['sessions']): { bars: SessionBar[]; zero: number } {
  const highest = Math.max(0, ...sessions.map(({ result }) => result));
  const lowest = Math.min(0, ...sessions.map(({ result }) => result));
  const span = highest - lowest || 1;
  const zero = highest === lowest ? 50 : (highest / span) * 100;
  const bars = sessions.map((session) => {
    const height = session.result === 0 ? 0 : Math.max((Math.abs(session.result) / span) * 100, LEAST_HEIGHT);
    return { ...session, height, top: session.result > 0 ? zero - height : zero };
  });
  return { bars, zero };
}
