/** The style of a line, on the chart and in its legend. */
export type LineStyle = 'accent' | 'second' | 'dashed' | 'dotted' | 'plain';

/** A value at an instant in milliseconds; null where it is unknown. */
export type ChartPoint = { readonly at: number; readonly value: number | null };
type KnownPoint = { readonly at: number; readonly value: number };

export type ChartLine = {
  readonly style: LineStyle;
  readonly points: readonly ChartPoint[];
  /** Step line: a value holds until the next one. */
  readonly isStepped?: boolean;
  /** A flat fill under the line. */
  readonly isFilled?: boolean;
};

export type ChartCandle = {
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

export type ChartPane = {
  /** Its share of the chart's height. */
  readonly height: number;
  /** The last one is the main one: drawn above the others, with the levels and marks. */
  readonly lines: readonly ChartLine[];
  readonly candles?: readonly ChartCandle[];
  /** Horizontal lines, labelled on the axis. */
  readonly levels?: readonly { readonly value: number; readonly label: string; readonly style: LineStyle }[];
  /** A numbered pin, a text, or the dot at the end of the main line; times must be times of points. */
  readonly marks?: readonly {
    readonly at: number;
    readonly value: number;
    readonly text: string;
    readonly style: 'pin' | 'words' | 'end';
  }[];
  /** Values kept in view even if no line reaches them. */
  readonly includes?: readonly number[];
  /** The smallest step of the axis. */
  readonly step: number;
  readonly format: (value: number) => string;
};

export type ChartSpec = {
  readonly panes: readonly ChartPane[];
  /** Points are spaced evenly (`even`) or in proportion to time. */
  readonly spacing: 'even' | 'time';
  /** Width reserved for the axis values, in px. */
  readonly axisWidth: number;
  /** Width before them for the names of levels, which would cover the newest points. */
  readonly namesWidth?: number;
};

/** More slots than a line has pixels on any screen. */
const MIN_SLOTS = 600;

/**
 * The slot of each instant in a row of equal slots. On a time scale, points go where they are due, but never two into
 * one slot: a jump takes two slots, each at most a pixel or two wide.
 */
export function slotsOf({ panes, spacing }: Pick<ChartSpec, 'panes' | 'spacing'>): Map<number, number> {
  const times = panes.flatMap(({ lines, candles }) => [
    ...lines.flatMap(({ points }) => points.map(({ at }) => at)),
    ...(candles ?? []).map(({ at }) => at),
  ]);
  const instants = [...new Set(times)].sort((a, b) => a - b);
  const [from, to] = [instants[0] ?? 0, instants.at(-1) ?? 0];
  const last = Math.max(MIN_SLOTS, 2 * instants.length);
  const slots = new Map<number, number>();
  let next = 0;
  for (const instant of instants) {
    const due = spacing === 'even' || to === from ? next : Math.round(((instant - from) / (to - from)) * last);
    slots.set(instant, Math.max(next, due));
    next = Math.max(next, due) + 1;
  }
  return slots;
}

/** Splits a line at its unknown values: a gap stays a gap. */
export function knownSegments(points: readonly ChartPoint[]): KnownPoint[][] {
  const segments: KnownPoint[][] = [];
  let segment: KnownPoint[] | undefined;
  for (const { at, value } of points) {
    if (value === null) {
      segment = undefined;
    } else {
      if (segment === undefined) {
        segment = [];
        segments.push(segment);
      }
      segment.push({ at, value });
    }
  }
  return segments;
}

/** Evenly spread instants for the labels below a chart: at most `limit`, always including the first and the last. */
export function evenTimes(points: readonly { readonly at: number }[], limit: number): number[] {
  const count = Math.min(limit, points.length);
  return Array.from({ length: count }, (_, index) => {
    const place = count < 2 ? 0 : Math.round((index / (count - 1)) * (points.length - 1));
    return points[place]?.at ?? 0;
  });
}
