import type { ChartPane } from './chart-data.ts';

/** The vertical position of values in a pane. */
export type PaneScale = {
  readonly yOf: (value: number) => number;
  readonly valueAt: (y: number) => number;
  /** Values with a horizontal line: those whose label is not clipped. */
  readonly ticks: readonly number[];
};

/** Padding above the highest and below the lowest value, as shares of the pane. */
const PADDING = { above: 0.1, below: 0.06 } as const;
/** Minimum distance between horizontal lines, in px. */
const MIN_GAP_PX = 28;
const HALF_LABEL = 6;

/** The scale of a pane with the given height and top, in px. */
export function scaleOf(pane: ChartPane, top: number, height: number): PaneScale {
  const [low, high] = rangeOf(pane);
  const inner = height * (1 - PADDING.above - PADDING.below);
  const perPx = (high - low) / inner;
  const first = top + height * PADDING.above;
  const valueAt = (y: number) => high - (y - first) * perPx;
  return {
    yOf: (value) => first + (high - value) / perPx,
    valueAt,
    ticks: ticksBetween(valueAt(top + height - HALF_LABEL), valueAt(top + HALF_LABEL), MIN_GAP_PX * perPx, pane.step),
  };
}

/** Room for the dot at the end of a line. */
const DOT = 4;

/** The horizontal position of slots, the first being 0: a line runs from edge to edge, a candle is as wide as its slot. */
export function columnsOf(lastSlot: number, width: number, hasCandles: boolean) {
  const half = hasCandles ? 0.5 : 0;
  const perSlot = (width - 2 - DOT) / (lastSlot + 2 * half);
  return {
    xOf: (slot: number) => 1 + (slot + half) * perSlot,
    slotAt: (x: number) => Math.min(Math.max(Math.round((x - 1) / perSlot - half), 0), lastSlot),
  };
}

function rangeOf({ lines, candles, includes, step }: ChartPane): readonly [number, number] {
  const values = [
    ...lines.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value]))),
    ...(candles ?? []).flatMap(({ low, high }) => [low, high]),
  ];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values.length > 0 ? [...values, ...(includes ?? [])] : [0]) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > low ? [low, high] : [low - 5 * step, high + 5 * step];
}

/** Leading digits of a round step. */
const firstDigits = [1, 2, 2.5, 4, 5, 10] as const;

/**
 * Round values from low to high, further apart than `gap` and in whole steps of the axis.
 * `ticksBetween(7090, 7550, 75, 0.01)` → 7100, 7200 … 7500
 */
export function ticksBetween(low: number, high: number, gap: number, step: number): number[] {
  const power = 10 ** Math.floor(Math.log10(gap));
  const isWhole = (span: number) => Math.abs(span / step - Math.round(span / step)) < 1e-6;
  const spans = [power, 10 * power].flatMap((unit) => firstDigits.map((digits) => digits * unit));
  const span = Math.max(spans.find((one) => one > gap && isWhole(one)) ?? step, step);
  const from = Math.ceil(low / span);
  const count = Math.floor(high / span) - from + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (from + index) * span);
}

/** The left edge of a label beside a vertical line: on its right, or on its left where it would be clipped. */
export const labelLeft = (line: number, words: number, right: number, gap: number): number =>
  line + gap + words <= right ? line + gap : Math.max(0, line - gap - words);

type Range = readonly [top: number, bottom: number];

/**
 * The vertical middle, nearest to the one wanted, of a label of this height that crosses none of the ranges and is
 * within the pane; undefined if there is no such place.
 */
export function freeMiddle(wanted: number, height: number, taken: readonly Range[], [from, to]: Range) {
  const half = height / 2;
  return [wanted, ...taken.flatMap(([top, bottom]) => [top - half, bottom + half])]
    .filter((middle) => middle - half >= from && middle + half <= to)
    .filter((middle) => taken.every(([top, bottom]) => middle + half <= top || middle - half >= bottom))
    .sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
}

/**
 * Moves labels apart, top to bottom, so that none covers another; those beyond `room` move up again. Order is
 * preserved. Labels of levels out of view are at the edge.
 */
export function spreadLabels(middles: readonly number[], height: number, room: number): number[] {
  const order = middles.map((_, index) => index).sort((a, b) => (middles[a] ?? 0) - (middles[b] ?? 0));
  const placed = [...middles];
  let free = height / 2;
  for (const index of order) {
    placed[index] = Math.max(placed[index] ?? 0, free);
    free = (placed[index] ?? 0) + height;
  }
  free = room - height / 2;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, free);
    free = (placed[index] ?? 0) - height;
  }
  return placed;
}
