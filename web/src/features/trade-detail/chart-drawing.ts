import type { TradeChart, TradeDetail } from '#contract/trading/trade-detail.ts';
import { linePath, niceScale, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';

/** A price at an instant in milliseconds; of a candle its closing one at its end. */
export type PricePoint = { readonly at: number; readonly price: number };
export type Bar = {
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly high: number;
  readonly low: number;
  readonly isUp: boolean;
};
export type Level = { readonly name: string; readonly price: number; readonly look: 'entry' | 'exit' | 'stop' };
/** Where events stand on the time line, with their numbers in the list of events: `2`, or `3–4` of two at one place. */
export type Pin = { readonly numbers: string; readonly x: number };

const intervalMs = { '1m': 60_000, '5m': 300_000, '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000 } as const;
const LINES = 4;

export type Span = { readonly from: number; readonly to: number };

/** What the chart spans: all its prices. */
export function spanOf(chart: TradeChart): Span {
  const points = pointsOf(chart);
  const width = chart.kind === 'candles' ? intervalMs[chart.interval] : 0;
  return { from: (points[0]?.at ?? 0) - width, to: points.at(-1)?.at ?? 0 };
}

export function pointsOf(chart: TradeChart): PricePoint[] {
  return chart.kind === 'ticks'
    ? chart.ticks.map(({ time, price }) => ({ at: Date.parse(time), price }))
    : chart.candles.map(({ time, close }) => ({ at: Date.parse(time) + intervalMs[chart.interval], price: close }));
}

/** Distance from the left in a picture of width 1000; what lies outside stands at the edge. */
export const xOf = (at: number, { from, to }: Span): number =>
  to === from ? WIDTH : Math.min(Math.max((at - from) / (to - from), 0), 1) * WIDTH;

/** A mark holds until the next one, so the line goes in steps. */
export function stepPath(points: readonly PricePoint[], span: Span, scale: Scale): string {
  return linePath(
    points.flatMap(({ at, price }, index) => {
      const reached = [xOf(at, span), yOf(price, scale)] as const;
      const before = points[index - 1];
      return before === undefined ? [reached] : [[reached[0], yOf(before.price, scale)] as const, reached];
    }),
  );
}

/** Candles as boxes: a bar takes two thirds of its time. */
export function barsOf(chart: Extract<TradeChart, { kind: 'candles' }>, span: Span, scale: Scale): Bar[] {
  const width = (intervalMs[chart.interval] / Math.max(span.to - span.from, 1)) * WIDTH;
  return chart.candles.map(({ time, open, high, low, close }) => ({
    x: xOf(Date.parse(time), span) + width / 2,
    width: (width * 2) / 3,
    top: yOf(Math.max(open, close), scale),
    bottom: yOf(Math.min(open, close), scale),
    high: yOf(high, scale),
    low: yOf(low, scale),
    isUp: close >= open,
  }));
}

/** Prices of the trade that are lines across the picture: what it was bought and sold at, and where its stops are. */
export function levelsOf({ trade }: TradeDetail): Level[] {
  const { stops } = trade;
  const levels: [string, number | null, Level['look']][] = [
    ['Bought', trade.open_price, 'entry'],
    ['Sold', trade.close_price, 'exit'],
    ['Stop-loss', stops.stop_loss_price, 'stop'],
    ['Take-profit', stops.take_profit_price, 'stop'],
    ['Trailing stop', stops.trailing_stop_price, 'stop'],
  ];
  return levels.flatMap(([name, price, look]) => (price === null ? [] : [{ name, price, look }]));
}

/**
 * A scale that holds all prices and, as far as they are near enough not to flatten them, the levels: a take-profit of 100 %
 * stays outside.
 */
export function scaleOf(chart: TradeChart, levels: readonly Level[]): Scale {
  const prices =
    chart.kind === 'ticks'
      ? chart.ticks.map(({ price }) => price)
      : chart.candles.flatMap(({ high, low }) => [high, low]);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const reach = Math.max(high - low, high * 0.02) * 2;
  const near = levels.map(({ price }) => price).filter((price) => price >= low - reach && price <= high + reach);
  return niceScale(
    [...prices, ...near, ...(high === low && near.length === 0 ? [high * 0.99, high * 1.01] : [])],
    LINES,
  );
}

/** Pins nearer than this would cover each other, in a picture of width 1000. */
const NEAR = 40;

/** Events that are too near to be told apart share a pin. */
export function pinsOf({ events }: TradeDetail, span: Span): Pin[] {
  const pins: { first: number; last: number; x: number }[] = [];
  for (const [index, { at }] of events.entries()) {
    const x = xOf(Date.parse(at), span);
    const before = pins.at(-1);
    if (before !== undefined && x - before.x < NEAR) before.last = index + 1;
    else pins.push({ first: index + 1, last: index + 1, x });
  }
  return pins.map(({ first, last, x }) => ({ x, numbers: first === last ? `${first}` : `${first}–${last}` }));
}
