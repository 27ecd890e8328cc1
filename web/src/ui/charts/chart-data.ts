/** How a line is drawn, in the picture and in its legend. */
export type LineLook = 'accent' | 'second' | 'dashed' | 'dotted' | 'plain';

/** A value at an instant in milliseconds; null where it is not known. */
export type ChartPoint = { readonly at: number; readonly value: number | null };
type KnownPoint = { readonly at: number; readonly value: number };

export type ChartLine = {
  readonly look: LineLook;
  readonly points: readonly ChartPoint[];
  /** A value holds until the next one. */
  readonly isStepped?: boolean;
  /** A flat tint under the line. */
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
  /** Its share of the picture. */
  readonly height: number;
  /** The last one is the main one: on top of the others, with the levels and marks. */
  readonly lines: readonly ChartLine[];
  readonly candles?: readonly ChartCandle[];
  /** Lines across the picture; their labels stand at the axis. */
  readonly levels?: readonly { readonly value: number; readonly label: string; readonly look: LineLook }[];
  /** A pin with its number, words, or the dot at the end of the main line; their times are times of points. */
  readonly marks?: readonly {
    readonly at: number;
    readonly value: number;
    readonly text: string;
    readonly look: 'pin' | 'words' | 'end';
  }[];
  /** Values that are in view although no line reaches them. */
  readonly includes?: readonly number[];
  /** The least difference of two values on the axis. */
  readonly step: number;
  readonly format: (value: number) => string;
};

export type Picture = {
  readonly panes: readonly ChartPane[];
  /** Points stand side by side whatever lies between them (`even`), or as far apart as they are in time. */
  readonly spacing: 'even' | 'time';
  /** Room for the values, in px. */
  readonly axisWidth: number;
};

/** A row of so many slots is finer than what a line of the screen's width can show. */
const LEAST_SLOTS = 600;

/**
 * The place of each instant in a row of equal slots. In time, points stand where they are due, but never two in one slot:
 * a jump takes two slots, each at most a pixel or two wide.
 */
export function slotsOf({ panes, spacing }: Pick<Picture, 'panes' | 'spacing'>): Map<number, number> {
  const times = panes.flatMap(({ lines, candles }) => [
    ...lines.flatMap(({ points }) => points.map(({ at }) => at)),
    ...(candles ?? []).map(({ at }) => at),
  ]);
  const instants = [...new Set(times)].sort((a, b) => a - b);
  const [from, to] = [instants[0] ?? 0, instants.at(-1) ?? 0];
  const last = Math.max(LEAST_SLOTS, 2 * instants.length);
  const slots = new Map<number, number>();
  let next = 0;
  for (const instant of instants) {
    const due = spacing === 'even' || to === from ? next : Math.round(((instant - from) / (to - from)) * last);
    slots.set(instant, Math.max(next, due));
    next = Math.max(next, due) + 1;
  }
  return slots;
}

/** A line is drawn in as many pieces as it is known in: a gap stays a gap. */
export function knownPieces(points: readonly ChartPoint[]): KnownPoint[][] {
  const pieces: KnownPoint[][] = [];
  let piece: KnownPoint[] | undefined;
  for (const { at, value } of points) {
    if (value === null) {
      piece = undefined;
    } else {
      if (piece === undefined) {
        piece = [];
        pieces.push(piece);
      }
      piece.push({ at, value });
    }
  }
  return pieces;
}

/** Instants for the labels below a picture, evenly spread over its points: at most so many, first and last among them. */
export function spreadTimes(points: readonly { readonly at: number }[], most: number): number[] {
  const count = Math.min(most, points.length);
  return Array.from({ length: count }, (_, index) => {
    const place = count < 2 ? 0 : Math.round((index / (count - 1)) * (points.length - 1));
    return points[place]?.at ?? 0;
  });
}
