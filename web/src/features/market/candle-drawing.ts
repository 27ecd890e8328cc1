import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPanePrimitivePaneView,
  type IPriceLine,
  type IPrimitivePaneRenderer,
  type ISeriesPrimitive,
  LineStyle,
  type MouseEventParams,
  type SeriesAttachedParameter,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { t } from '../../api/texts.ts';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';
import { localeTag } from '../../ui/format/locale.ts';
import { formatDecimal } from '../../ui/format/number.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { type Bar, changedTail, sessionSpans } from './candle-data.ts';
import { SessionTint } from './session-tint.ts';

export type CandleDrawing = {
  /** Draws the bars; where only the newest changed, only those are updated. */
  setBars(bars: readonly Bar[], stepSeconds: number): void;
  setEntry(price: number | null): void;
  setColours(colours: ChartColours): void;
  remove(): void;
};

/** Initial bar width: as many as fit at this width, with some space to the right of the newest. */
const FIRST_BAR_PX = 7;
const AIR_BARS = 3;

/**
 * The canvas part of the candle chart, in a module of its own, so that the charting library is loaded only with a
 * chart.
 */
export function drawCandles(
  host: HTMLElement,
  colours: ChartColours,
  decimals: number,
  onCursor: (time: number | null) => void,
): CandleDrawing {
  const priceFormatter = (price: number) => formatDecimal(price, decimals);
  const chart = createChart(host, { autoSize: true, ...chartOptions(colours, priceFormatter) });
  const priceFormat = { type: 'price', precision: decimals, minMove: 10 ** -decimals } as const;
  const candles = chart.addSeries(CandlestickSeries, { ...candleOptions(colours), priceFormat });
  const volume = chart.addSeries(HistogramSeries, {
    color: colours.volume,
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const tint = new SessionTint(colours);
  chart.panes()[0]?.attachPrimitive(tint);
  const tag = new EntryTag(colours);
  candles.attachPrimitive(tag);

  const reportCursor = ({ time }: MouseEventParams) => onCursor(typeof time === 'number' ? time : null);
  chart.subscribeCrosshairMove(reportCursor);
  // The library lays itself out in a table, and its figures are in the one behind Show as table.
  host.querySelector('table')?.setAttribute('role', 'presentation');

  let drawn: readonly Bar[] = [];
  let drawnStep = 0;
  let entryLine: IPriceLine | undefined;
  let entryPrice: number | null = null;
  let current = colours;

  const drawEntry = () => {
    if (entryLine) candles.removePriceLine(entryLine);
    entryLine =
      entryPrice === null
        ? undefined
        : candles.createPriceLine({
            price: entryPrice,
            color: current.accent,
            lineWidth: 1,
            lineStyle: LineStyle.Solid,
            axisLabelColor: current.accentFill,
            axisLabelTextColor: current.onAccent,
          });
    tag.set(entryPrice, entryPrice === null ? '' : t`Your entry ${priceFormatter(entryPrice)}`);
  };

  return {
    setBars(bars, stepSeconds) {
      const tail = stepSeconds === drawnStep ? changedTail(drawn, bars) : null;
      if (tail) {
        for (const bar of tail) {
          candles.update(toCandle(bar));
          volume.update(toVolume(bar));
        }
      } else {
        candles.setData(bars.map(toCandle));
        volume.setData(bars.map(toVolume));
        chart.timeScale().applyOptions({ timeVisible: stepSeconds < 86_400 });
        showNewest(chart, bars.length, host.clientWidth);
      }
      // The chart keeps bars that dropped out at the start, so positions count from the first one drawn.
      drawn = tail ? [...drawn.filter(({ time }) => time !== tail[0]?.time), ...tail] : bars;
      drawnStep = stepSeconds;
      tint.setSpans(sessionSpans(drawn, stepSeconds));
    },
    setEntry(price) {
      if (price === entryPrice) return;
      entryPrice = price;
      drawEntry();
    },
    setColours(next) {
      current = next;
      chart.applyOptions(chartOptions(next, priceFormatter));
      candles.applyOptions(candleOptions(next));
      volume.applyOptions({ color: next.volume });
      tint.setColours(next);
      tag.setColours(next);
      drawEntry();
    },
    remove() {
      chart.unsubscribeCrosshairMove(reportCursor);
      chart.remove();
    },
  };
}

function showNewest(chart: IChartApi, count: number, width: number) {
  const fitting = Math.max(20, Math.floor(width / FIRST_BAR_PX));
  chart.timeScale().setVisibleLogicalRange({ from: count - Math.min(fitting, count), to: count + AIR_BARS });
}

const toCandle = ({ time, open, high, low, close }: Bar) => ({ time: time as UTCTimestamp, open, high, low, close });
/** A time without a value leaves a gap in the volumes. */
const toVolume = ({ time, volume }: Bar) => ({
  time: time as UTCTimestamp,
  ...(volume !== null && { value: volume }),
});

const LEFT = 12;
const PADDING = 8;
const HEIGHT = 18;
const BASELINE = 13;
const RADIUS = 4;

/**
 * The label at the left end of the entry line, away from the newest bars: the library's own title would cover those.
 */
class EntryTag implements ISeriesPrimitive<Time> {
  private price: number | null = null;
  private words = '';
  private colours: ChartColours;
  private attachment: SeriesAttachedParameter<Time> | undefined;

  constructor(colours: ChartColours) {
    this.colours = colours;
  }

  set(price: number | null, words: string) {
    this.price = price;
    this.words = words;
    this.attachment?.requestUpdate();
  }

  setColours(colours: ChartColours) {
    this.colours = colours;
    this.attachment?.requestUpdate();
  }

  attached(attachment: SeriesAttachedParameter<Time>) {
    this.attachment = attachment;
  }

  detached() {
    this.attachment = undefined;
  }

  paneViews(): readonly IPanePrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.draw(target) }) }];
  }

  private draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]) {
    const middle = this.price === null ? null : (this.attachment?.series.priceToCoordinate(this.price) ?? null);
    if (middle === null) return;
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's word for choosing units, no React hook
    target.useMediaCoordinateSpace(({ context }) => {
      context.font = `500 11px ${this.colours.font}`;
      const top = middle - HEIGHT / 2;
      context.beginPath();
      context.roundRect(LEFT, top, context.measureText(this.words).width + 2 * PADDING, HEIGHT, RADIUS);
      context.fillStyle = this.colours.surface2;
      context.fill();
      context.strokeStyle = this.colours.lineStrong;
      context.stroke();
      context.fillStyle = this.colours.accent;
      context.fillText(this.words, LEFT + PADDING, top + BASELINE);
    });
  }
}

/**
 * Makes a chart of the library look like those that the app draws itself. Colours are read again when the theme
 * changes.
 */
export const chartOptions = (colours: ChartColours, priceFormatter: (price: number) => string) => ({
  layout: {
    background: { type: ColorType.Solid as const, color: colours.surface },
    textColor: colours.axis,
    fontSize: 11,
    fontFamily: colours.font,
    attributionLogo: true,
    panes: { separatorColor: colours.surface, enableResize: false },
  },
  grid: { vertLines: { visible: false }, horzLines: { color: colours.grid } },
  rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.22 } },
  timeScale: { borderVisible: false, secondsVisible: false },
  crosshair: {
    vertLine: { color: colours.text3, style: LineStyle.Dashed, labelBackgroundColor: colours.surface3 },
    horzLine: { color: colours.text3, style: LineStyle.Dashed, labelBackgroundColor: colours.surface3 },
  },
  localization: {
    locale: localeTag(),
    priceFormatter,
    timeFormatter: (time: Time) => (typeof time === 'number' ? `${formatShortDateTime(time * 1000)} UTC` : ''),
  },
  // A vertical swipe scrolls the page, not the chart.
  handleScroll: { vertTouchDrag: false },
});

/** Up is hollow and down is filled, so that colour is not the only sign. */
const candleOptions = (colours: ChartColours) => ({
  upColor: colours.surface,
  borderUpColor: colours.gain,
  wickUpColor: colours.gain,
  downColor: colours.loss,
  borderDownColor: colours.loss,
  wickDownColor: colours.loss,
  priceLineColor: colours.text,
  priceLineStyle: LineStyle.Dotted,
});
