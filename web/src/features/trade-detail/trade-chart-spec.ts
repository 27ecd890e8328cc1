import type { TradeChart, TradeDetail } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import type { ChartSpec, LineStyle } from '../../ui/charts/chart-data.ts';
import { formatPrice, priceDecimals } from '../../ui/format/price.ts';

/** A price at an instant in milliseconds; for a candle its close, at its end. */
export type PricePoint = { readonly at: number; readonly price: number };
export type Level = { readonly name: string; readonly price: number; readonly style: LineStyle };
/** Pins for events on the time axis, with their numbers in the event list: `2`, or `3–4` for two at one position. */
export type Pin = { readonly numbers: string; readonly at: number; readonly price: number };

const intervalMs = { '1m': 60_000, '5m': 300_000, '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

/** Of the name of a level in the chart's font. */
const LETTER_PX = 6;
const NAME_PADDING = 14;

/** Prices with the trade's levels and events. */
export function tradeChartSpec(detail: TradeDetail, height: number): ChartSpec {
  const { chart, trade } = detail;
  const levels = levelsOf(detail);
  const isTicks = chart.kind === 'ticks';
  const points = pointsOf(chart);
  return {
    panes: [
      {
        height,
        // A mark holds until the next one, so this is a step line.
        lines: isTicks
          ? [{ style: 'plain', points: points.map(({ at, price }) => ({ at, value: price })), isStepped: true }]
          : [],
        ...(!isTicks && { candles: chart.candles.map(({ time, ...candle }) => ({ ...candle, at: Date.parse(time) })) }),
        levels: levels.map(({ name, price, style }) => ({ value: price, label: name, style })),
        marks: pinsOf(detail).map(({ numbers, at, price }) => ({ at, value: price, text: numbers, style: 'pin' })),
        includes: nearValues(chart, levels),
        step: 10 ** -priceDecimals(trade.symbol, points.at(-1)?.price ?? 1),
        format: (value) => formatPrice(value, trade.symbol),
      },
    ],
    spacing: isTicks ? 'time' : 'even',
    axisWidth: 72,
    namesWidth: NAME_PADDING + LETTER_PX * Math.max(0, ...levels.map(({ name }) => name.length)),
  };
}

export function pointsOf(chart: TradeChart): PricePoint[] {
  return chart.kind === 'ticks'
    ? chart.ticks.map(({ time, price }) => ({ at: Date.parse(time), price }))
    : chart.candles.map(({ time, close }) => ({ at: Date.parse(time) + intervalMs[chart.interval], price: close }));
}

/** The visible range: all prices. */
export function spanOf(chart: TradeChart): { readonly from: number; readonly to: number } {
  const points = pointsOf(chart);
  const width = chart.kind === 'candles' ? intervalMs[chart.interval] : 0;
  return { from: (points[0]?.at ?? 0) - width, to: points.at(-1)?.at ?? 0 };
}

/** Price levels of the trade: its entry, its exit and its stops. */
export function levelsOf({ trade }: TradeDetail): Level[] {
  const { stops } = trade;
  const levels: [string, number | null, LineStyle][] = [
    [t`Entry`, trade.open_price, 'accent'],
    [t`Exit`, trade.close_price, 'dashed'],
    [t`Stop-loss`, stops.stop_loss_price, 'dashed'],
    [t`Take-profit`, stops.take_profit_price, 'dashed'],
    [t`Trailing stop`, stops.trailing_stop_price, 'dashed'],
  ];
  return levels.flatMap(([name, price, style]) => (price === null ? [] : [{ name, price, style }]));
}

/**
 * Keeps levels in view only if they are near enough not to flatten the prices: a take-profit of 100 % stays outside.
 * Constant prices get padding.
 */
export function nearValues(chart: TradeChart, levels: readonly Level[]): number[] {
  const prices =
    chart.kind === 'ticks'
      ? chart.ticks.map(({ price }) => price)
      : chart.candles.flatMap(({ high, low }) => [high, low]);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const reach = Math.max(high - low, high * 0.02) * 2;
  const near = levels.map(({ price }) => price).filter((price) => price >= low - reach && price <= high + reach);
  return high === low && near.length === 0 ? [high * 0.99, high * 1.01] : near;
}

/** Pins closer than this share of the time range would overlap. */
const NEAR = 0.04;

/** Events at the price they happened at; those too close together share a pin. */
export function pinsOf({ events, chart }: TradeDetail): Pin[] {
  const { from, to } = spanOf(chart);
  const places =
    chart.kind === 'ticks'
      ? pointsOf(chart)
      : chart.candles.map(({ time, high }) => ({ at: Date.parse(time), price: high }));
  const pins: { first: number; last: number; at: number; price: number }[] = [];
  for (const [index, event] of events.entries()) {
    const at = Date.parse(event.at);
    const place = places.findLast((candidate) => candidate.at <= at) ?? places[0];
    if (place === undefined) continue;
    const before = pins.at(-1);
    if (before !== undefined && place.at - before.at < (to - from) * NEAR) before.last = index + 1;
    else pins.push({ first: index + 1, last: index + 1, ...place });
  }
  return pins.map(({ first, last, ...place }) => ({
    ...place,
    numbers: first === last ? `${first}` : `${first}–${last}`,
  }));
}
