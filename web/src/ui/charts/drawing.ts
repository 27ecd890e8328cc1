import {
  AreaSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type SeriesMarker,
  type UTCTimestamp,
} from 'lightweight-charts';
import { localeTag } from '../format/locale.ts';
import type { ChartColours } from './chart-colours.ts';
import { type ChartLine, type ChartPane, knownPieces, type LineLook, type Picture, slotsOf } from './chart-data.ts';

export type Drawing = {
  draw(picture: Picture): void;
  setColours(colours: ChartColours): void;
  remove(): void;
};

/** How every chart of the app looks. Its colours are read again when the theme changes. */
export const lookOfCharts = (colours: ChartColours) => ({
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
  localization: { locale: localeTag() },
  // A finger that moves up or down scrolls the page, not the chart.
  handleScroll: { vertTouchDrag: false },
});

/** Up is hollow and down is filled, so that colour is not the only sign. */
export const lookOfCandles = (colours: ChartColours) => ({
  upColor: colours.surface,
  borderUpColor: colours.gain,
  wickUpColor: colours.gain,
  downColor: colours.loss,
  borderDownColor: colours.loss,
  wickDownColor: colours.loss,
});

const lookOfLine = (look: LineLook, colours: ChartColours) => {
  const looks = {
    accent: { color: colours.accent, lineWidth: 2, lineStyle: LineStyle.Solid },
    second: { color: colours.series2, lineWidth: 2, lineStyle: LineStyle.Solid },
    plain: { color: colours.text2, lineWidth: 1, lineStyle: LineStyle.Solid },
    dashed: { color: colours.text3, lineWidth: 1, lineStyle: LineStyle.LargeDashed },
    dotted: { color: colours.text2, lineWidth: 2, lineStyle: LineStyle.Dotted },
  } as const;
  return looks[look];
};

/** A picture that stands still: all of it is in view, and a cursor reads its values. */
export function openDrawing(host: HTMLElement, first: ChartColours): Drawing {
  let colours = first;
  let drawn: Picture | undefined;
  let series: ISeriesApi<'Line' | 'Area' | 'Candlestick'>[] = [];
  const chart = createChart(host, { autoSize: true, ...stillLook(colours) });
  // Its width is known after the first layout only, and changes with the window.
  const showAll = () => chart.timeScale().fitContent();
  chart.timeScale().subscribeSizeChange(showAll);

  const draw = (picture: Picture) => {
    for (const one of series) chart.removeSeries(one);
    drawn = picture;
    const slots = slotsOf(picture);
    series = picture.panes.flatMap((pane, index) => drawPane(chart, pane, index, slots, colours));
    for (const [index, { height }] of picture.panes.entries()) chart.panes()[index]?.setStretchFactor(height);
    chart.applyOptions({ rightPriceScale: { minimumWidth: picture.axisWidth } });
    showAll();
  };

  return {
    draw,
    setColours(next) {
      colours = next;
      chart.applyOptions(stillLook(next));
      if (drawn) draw(drawn);
    },
    remove: () => chart.remove(),
  };
}

const stillLook = (colours: ChartColours) => {
  const look = lookOfCharts(colours);
  const { vertLine, horzLine } = look.crosshair;
  return {
    ...look,
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.06 }, entireTextOnly: true },
    // The times stand below the picture as text.
    timeScale: { visible: false, minBarSpacing: 0.001, fixLeftEdge: true, fixRightEdge: true },
    crosshair: { vertLine: { ...vertLine, labelVisible: false }, horzLine },
    handleScroll: false,
    handleScale: false,
  };
};

/** A point of time is a place in the row of slots, told to the library as so many seconds. */
const at = (slot: number) => slot as UTCTimestamp;

function drawPane(
  chart: IChartApi,
  pane: ChartPane,
  index: number,
  slots: ReadonlyMap<number, number>,
  colours: ChartColours,
): ISeriesApi<'Line' | 'Area' | 'Candlestick'>[] {
  const shared = {
    priceFormat: { type: 'custom', minMove: pane.step, formatter: pane.format } as const,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
    autoscaleInfoProvider: withValues(pane.includes),
  };
  const placeOf = (time: number) => at(slots.get(time) ?? 0);
  const drawLine = (line: ChartLine) =>
    knownPieces(line.points).map((piece) => {
      const { color, lineWidth, lineStyle } = lookOfLine(line.look, colours);
      const lineType = line.isStepped ? LineType.WithSteps : LineType.Simple;
      const one = line.isFilled
        ? chart.addSeries(
            AreaSeries,
            { ...shared, lineColor: color, lineWidth, topColor: colours.area, bottomColor: colours.area, lineType },
            index,
          )
        : chart.addSeries(LineSeries, { ...shared, color, lineWidth, lineStyle, lineType }, index);
      one.setData(piece.map(({ at: time, value }) => ({ time: placeOf(time), value })));
      return one;
    });
  const lines = pane.lines.flatMap(drawLine);
  const candles = pane.candles && chart.addSeries(CandlestickSeries, { ...shared, ...lookOfCandles(colours) }, index);
  candles?.setData((pane.candles ?? []).map(({ at: time, ...candle }) => ({ ...candle, time: placeOf(time) })));
  const all = candles ? [...lines, candles] : lines;

  // Slots without a value are room in the row: one unseen line holds them all, and air for the dot at the end.
  const lastSlot = Math.max(0, ...slots.values());
  const count = lastSlot + 1 + Math.round(lastSlot * 0.012);
  const room = chart.addSeries(LineSeries, { ...shared, visible: false }, index);
  room.setData(Array.from({ length: count }, (_, slot) => ({ time: at(slot) })));

  const main = all.at(-1);
  if (main) {
    for (const { value, label, look } of pane.levels ?? []) {
      const { color, lineStyle } = lookOfLine(look, colours);
      main.createPriceLine({
        price: value,
        color,
        lineWidth: 1,
        lineStyle,
        title: label,
        axisLabelVisible: label !== '',
        axisLabelColor: colours.surface2,
        axisLabelTextColor: look === 'accent' ? colours.accent : colours.text2,
      });
    }
    // Words stand in the middle over their place, so at either end they would be cut.
    const insideOf = (slot: number) => Math.round(Math.min(Math.max(slot, lastSlot * 0.2), lastSlot * 0.8));
    const markers = pane.marks?.map(({ at: time, value, text, look }): SeriesMarker<UTCTimestamp> => {
      const slot = slots.get(time) ?? 0;
      return {
        time: at(look === 'words' ? insideOf(slot) : slot),
        position: look === 'pin' ? 'atPriceTop' : 'atPriceMiddle',
        price: value,
        shape: 'circle',
        color: look === 'end' ? colours.accent : colours.text3,
        size: look === 'words' ? 0 : 0.5,
        text,
      };
    });
    if (markers && markers.length > 0) createSeriesMarkers(main, markers, { autoScale: true });
  }
  return [...all, room];
}

type Range = { priceRange: { minValue: number; maxValue: number } | null };

/** Keeps more values in view than the line has. */
const withValues = (values: readonly number[] | undefined) => (original: () => Range | null) => {
  const range = original();
  if (values === undefined || values.length === 0 || !range?.priceRange) return range;
  const { minValue, maxValue } = range.priceRange;
  return { ...range, priceRange: { minValue: Math.min(minValue, ...values), maxValue: Math.max(maxValue, ...values) } };
};
