import { ColorType, LineStyle } from 'lightweight-charts';
import { localeTag } from '../format/locale.ts';
import type { ChartColours } from './chart-colours.ts';

/**
 * Makes a chart of the library look like those that the app draws itself. Colours are read again when the theme
 * changes.
 */
export const baseChartOptions = (colours: ChartColours) => ({
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
  // A vertical swipe scrolls the page, not the chart.
  handleScroll: { vertTouchDrag: false },
});

/** Up is hollow and down is filled, so that colour is not the only sign. */
export const baseCandleOptions = (colours: ChartColours) => ({
  upColor: colours.surface,
  borderUpColor: colours.gain,
  wickUpColor: colours.gain,
  downColor: colours.loss,
  borderDownColor: colours.loss,
  wickDownColor: colours.loss,
});
