import type { ChartColours } from './chart-colours.ts';
import {
  type ChartLine,
  type ChartPane,
  type ChartSpec,
  knownSegments,
  type LineStyle,
  slotsOf,
} from './chart-data.ts';
import { columnsOf, freeMiddle, labelLeft, type PaneScale, scaleOf, spreadLabels } from './pane-scale.ts';

export type Drawing = {
  draw(spec: ChartSpec): void;
  setColours(colours: ChartColours): void;
  remove(): void;
};

/** From the plot's edge to the axis values, and from a label's text to the edge of its background. */
const LABEL_GAP = 10;
const LABEL_PAD = 7;
const LABEL_HEIGHT = 18;
/** Of a text beside a step, with the space to the lines. */
const WORDS_HEIGHT = 18;
/** The radius of a pin, and of the dot at the end of a line. */
const DOT = 4;

/** A static chart: everything is in view, and a crosshair reads its values. */
export function createDrawing(host: HTMLElement, first: ChartColours): Drawing {
  let colours = first;
  let drawn: ChartSpec | undefined;
  let cursor: Cursor | undefined;
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'display: block; width: 100%; height: 100%; touch-action: pan-y; cursor: crosshair';
  // The canvas takes the size of its container, never the reverse.
  host.style.position = 'relative';
  canvas.style.position = 'absolute';
  host.append(canvas);

  const render = () => {
    const { width, height } = host.getBoundingClientRect();
    const context = canvas.getContext('2d');
    if (context === null || drawn === undefined || width === 0) return;
    const ratio = window.devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    new Painter(context, colours, drawn, width, height).paint(cursor);
  };
  const point = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    cursor = { x: event.clientX - box.left, y: event.clientY - box.top };
    render();
  };
  const leave = () => {
    cursor = undefined;
    render();
  };
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  canvas.addEventListener('pointerleave', leave);
  const observer = new ResizeObserver(render);
  observer.observe(host);

  return {
    draw(spec) {
      drawn = spec;
      render();
    },
    setColours(next) {
      colours = next;
      render();
    },
    remove() {
      observer.disconnect();
      canvas.remove();
    },
  };
}

/** The middle of a row or column of pixels, so that a thin line is sharp. */
const sharp = (place: number) => Math.round(place) + 0.5;

type Cursor = { readonly x: number; readonly y: number };
type PlacedPane = {
  readonly pane: ChartPane;
  readonly scale: PaneScale;
  readonly top: number;
  readonly height: number;
};

/** Draws the chart once, in CSS pixels. */
class Painter {
  readonly #to: CanvasRenderingContext2D;
  readonly #colours: ChartColours;
  readonly #panes: readonly PlacedPane[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #columns: ReturnType<typeof columnsOf>;
  /** The left edge of the axis values. */
  readonly #width: number;
  readonly #height: number;

  constructor(to: CanvasRenderingContext2D, colours: ChartColours, spec: ChartSpec, width: number, height: number) {
    this.#to = to;
    this.#colours = colours;
    this.#slots = slotsOf(spec);
    this.#height = height;
    const all = spec.panes.reduce((sum, pane) => sum + pane.height, 0);
    let top = 0;
    this.#panes = spec.panes.map((pane) => {
      const share = (height * pane.height) / all;
      const placed = { pane, scale: scaleOf(pane, top, share), top, height: share };
      top += share;
      return placed;
    });
    to.font = `11px ${colours.font}`;
    to.textBaseline = 'middle';
    this.#width = width - Math.max(spec.axisWidth, LABEL_GAP + LABEL_PAD + this.#widestValue());
    const hasCandles = spec.panes.some(({ candles }) => candles !== undefined);
    const lastSlot = Math.max(1, ...this.#slots.values());
    this.#columns = columnsOf(lastSlot, this.#width - (spec.namesWidth ?? 0), hasCandles);
  }

  paint(cursor: Cursor | undefined): void {
    for (const placed of this.#panes) {
      this.#inside(placed, () => {
        this.#drawGrid(placed);
        for (const line of placed.pane.lines) this.#drawLine(line, placed);
        this.#drawCandles(placed);
        for (const { value, style } of placed.pane.levels ?? []) this.#drawAcross(placed.scale.yOf(value), style);
        this.#drawMarks(placed);
      });
      this.#drawValues(placed);
    }
    const under = cursor && this.#panes.find(({ top, height }) => cursor.y >= top && cursor.y < top + height);
    if (cursor && under && cursor.x <= this.#width) this.#drawCursor(cursor, under);
  }

  /** Reserves room for the crosshair's values, which are not round. */
  #widestValue(): number {
    const values = this.#panes.flatMap(({ pane, scale, top, height }) =>
      [top, top + height].map((y) => pane.format(Math.floor(scale.valueAt(y)) + 0.11)),
    );
    return Math.ceil(Math.max(...values.map((value) => this.#to.measureText(value).width)));
  }

  #xAt(instant: number): number {
    return this.#columns.xOf(this.#slots.get(instant) ?? 0);
  }

  #inside({ top, height }: PlacedPane, draw: () => void): void {
    this.#to.save();
    this.#to.beginPath();
    this.#to.rect(0, top, this.#width, height);
    this.#to.clip();
    draw();
    this.#to.restore();
  }

  #strokeWith(style: LineStyle): void {
    const { accent, series2, text2, text3 } = this.#colours;
    const [colour, width, dashes] = {
      accent: [accent, 2, []],
      second: [series2, 2, []],
      plain: [text2, 1, []],
      dashed: [text3, 1, [6, 6]],
      dotted: [text2, 2, [2, 2]],
    }[style] as [string, number, number[]];
    this.#to.strokeStyle = colour;
    this.#to.lineWidth = width;
    this.#to.lineJoin = 'round';
    this.#to.setLineDash(dashes);
  }

  #line(fromX: number, fromY: number, toX: number, toY: number): void {
    this.#to.beginPath();
    this.#to.moveTo(fromX, fromY);
    this.#to.lineTo(toX, toY);
    this.#to.stroke();
  }

  #lineAcross(y: number): void {
    this.#line(0, sharp(y), this.#width, sharp(y));
  }

  #drawAcross(y: number, style: LineStyle): void {
    this.#strokeWith(style);
    this.#to.lineWidth = 1;
    this.#lineAcross(y);
  }

  #drawGrid({ scale }: PlacedPane): void {
    this.#to.strokeStyle = this.#colours.grid;
    this.#to.lineWidth = 1;
    this.#to.setLineDash([]);
    for (const tick of scale.ticks) this.#lineAcross(scale.yOf(tick));
  }

  #drawLine(line: ChartLine, { scale, top, height }: PlacedPane): void {
    for (const segment of knownSegments(line.points)) {
      const path = new Path2D();
      let last: number | undefined;
      for (const { at, value } of segment) {
        const x = this.#xAt(at);
        if (last !== undefined && line.isStepped) path.lineTo(x, last);
        last = scale.yOf(value);
        // The first point starts the path.
        path.lineTo(x, last);
      }
      const [from, to] = [segment[0], segment.at(-1)].map((one) => this.#xAt(one?.at ?? 0));
      if (line.isFilled) {
        const area = new Path2D(path);
        area.lineTo(to ?? 0, top + height);
        area.lineTo(from ?? 0, top + height);
        this.#to.fillStyle = this.#colours.area;
        this.#to.fill(area);
      }
      this.#strokeWith(line.style);
      this.#to.stroke(path);
    }
  }

  /** Up is hollow and down is filled, so that colour is not the only sign. */
  #drawCandles({ pane, scale }: PlacedPane): void {
    const room = (this.#columns.xOf(1) - this.#columns.xOf(0)) * 0.8;
    const width = Math.max(1, Math.floor(room));
    this.#to.setLineDash([]);
    this.#to.lineWidth = 1;
    for (const { at, open, high, low, close } of pane.candles ?? []) {
      const isUp = close >= open;
      const x = sharp(this.#xAt(at));
      const [upper, lower] = [scale.yOf(Math.max(open, close)), scale.yOf(Math.min(open, close))];
      this.#to.strokeStyle = isUp ? this.#colours.gain : this.#colours.loss;
      this.#to.fillStyle = isUp ? this.#colours.surface : this.#colours.loss;
      this.#line(x, scale.yOf(high), x, scale.yOf(low));
      if (width < 3) continue;
      this.#to.beginPath();
      this.#to.rect(x - Math.floor(width / 2), upper, width - 1, Math.max(1, lower - upper));
      this.#to.fill();
      this.#to.stroke();
    }
  }

  /** Where lines run between two horizontal positions, each as its vertical range. */
  #rangesOfLines({ pane, scale }: PlacedPane, left: number, right: number) {
    return pane.lines.flatMap(({ points, isStepped }) =>
      knownSegments(points).flatMap((segment) =>
        segment.slice(1).flatMap((to, index) => {
          const from = segment[index] ?? to;
          const [x1, x2] = [from, to].map(({ at }) => this.#xAt(at)) as [number, number];
          if (x2 < left || x1 > right) return [];
          const [y1, y2] = [scale.yOf(from.value), scale.yOf(to.value)];
          const yAt = (x: number) => (isStepped && x < x2 ? y1 : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1));
          const ends = [yAt(Math.max(left, x1)), yAt(Math.min(right, x2))];
          return [[Math.min(...ends), Math.max(...ends)] as const];
        }),
      ),
    );
  }

  /** Beside the step, where no line crosses the text; left out where there is no such place. */
  #drawWords(placed: PlacedPane, text: string, x: number, y: number): void {
    const width = this.#to.measureText(text).width;
    const left = labelLeft(x, width, this.#width, LABEL_GAP);
    const lines = this.#rangesOfLines(placed, left - 2, left + width + 2);
    const middle = freeMiddle(y, WORDS_HEIGHT, lines, [placed.top, placed.top + placed.height]);
    if (middle !== undefined) this.#to.fillText(text, left + width / 2, middle);
  }

  #drawMarks(placed: PlacedPane): void {
    const { pane, scale } = placed;
    this.#to.textAlign = 'center';
    for (const { at, value, text, style } of pane.marks ?? []) {
      const x = this.#xAt(at);
      const y = scale.yOf(value) - (style === 'pin' ? DOT + 2 : 0);
      this.#to.fillStyle = style === 'end' ? this.#colours.accent : this.#colours.text3;
      if (style === 'words') {
        this.#drawWords(placed, text, x, y);
        continue;
      }
      const half = this.#to.measureText(text).width / 2;
      this.#to.beginPath();
      this.#to.arc(x, y, DOT, 0, 2 * Math.PI);
      this.#to.fill();
      // A number centred over a pin at either edge would be clipped.
      const middle = Math.min(Math.max(x, half + 2), this.#width - half - 2);
      this.#to.fillText(text, middle, y - DOT - 7);
    }
  }

  #drawValues(placed: PlacedPane): void {
    const { pane, scale } = placed;
    const levels = this.#drawLevelNames(placed);
    this.#to.textAlign = 'left';
    this.#to.fillStyle = this.#colours.axis;
    for (const tick of scale.ticks) {
      const y = scale.yOf(tick);
      const isCovered = levels.some((middle) => Math.abs(middle - y) < LABEL_HEIGHT / 2 + 5);
      if (!isCovered) this.#to.fillText(pane.format(tick), this.#width + LABEL_GAP, y);
    }
  }

  /** A level's name on the chart and its value on the axis. @returns their vertical positions */
  #drawLevelNames({ pane, scale }: PlacedPane): readonly number[] {
    const named = (pane.levels ?? []).filter(({ label }) => label !== '');
    const middles = spreadLabels(
      named.map(({ value }) => scale.yOf(value)),
      LABEL_HEIGHT,
      this.#height,
    );
    for (const [index, { label, value, style }] of named.entries()) {
      const y = middles[index] ?? 0;
      const colours = [
        this.#colours.surface2,
        style === 'accent' ? this.#colours.accent : this.#colours.text2,
      ] as const;
      const left = this.#width - this.#to.measureText(label).width - 2 * LABEL_PAD;
      this.#drawLabel(label, y, left, LABEL_PAD, colours);
      this.#drawLabel(pane.format(value), y, this.#width + 1, LABEL_GAP - 1, colours);
    }
    return middles;
  }

  #drawLabel(text: string, middle: number, x: number, before: number, colours: readonly [string, string]): void {
    const y = Math.min(Math.max(middle, LABEL_HEIGHT / 2), this.#height - LABEL_HEIGHT / 2);
    const [behind, colour] = colours;
    this.#to.textAlign = 'left';
    this.#to.fillStyle = behind;
    this.#to.beginPath();
    this.#to.roundRect(x, y - LABEL_HEIGHT / 2, this.#to.measureText(text).width + before + LABEL_PAD, LABEL_HEIGHT, 2);
    this.#to.fill();
    this.#to.fillStyle = colour;
    this.#to.fillText(text, x + before, y);
  }

  /** The crosshair, with the value under the cursor: that of a line, where one has a point there. */
  #drawCursor({ x, y }: Cursor, { pane, scale }: PlacedPane): void {
    const slot = this.#columns.slotAt(x);
    const points = [
      ...pane.lines.flatMap(({ points }) => points),
      ...(pane.candles ?? []).map(({ at, close }) => ({ at, value: close })),
    ];
    const near = points
      .flatMap(({ at, value }) => (value !== null && this.#slots.get(at) === slot ? [scale.yOf(value)] : []))
      .sort((a, b) => Math.abs(a - y) - Math.abs(b - y))[0];
    const row = near ?? y;
    this.#to.strokeStyle = this.#colours.text3;
    this.#to.lineWidth = 1;
    this.#to.setLineDash([2, 2]);
    this.#lineAcross(row);
    const column = sharp(this.#columns.xOf(slot));
    this.#line(column, 0, column, this.#height);
    const value = Math.round(scale.valueAt(row) / pane.step) * pane.step;
    this.#drawLabel(pane.format(value), row, this.#width + 1, LABEL_GAP - 1, [
      this.#colours.surface3,
      this.#colours.text,
    ]);
  }
}
