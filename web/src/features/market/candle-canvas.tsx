import { useCallback, useEffect } from 'react';
import { Canvas } from '../../ui/charts/chart.tsx';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';
import { useDrawing } from '../../ui/charts/use-drawing.ts';
import type { Bar } from './candle-data.ts';

type CandleCanvasProps = {
  bars: readonly Bar[];
  stepSeconds: number;
  decimals: number;
  entry: number | null;
  /** The time of the bar under the cursor, in seconds. */
  onCursor: (time: number | null) => void;
};

/** The drawing itself, which follows the market. */
export function CandleCanvas({ bars, stepSeconds, decimals, entry, onCursor }: CandleCanvasProps) {
  const open = useCallback(
    async (host: HTMLElement, colours: ChartColours) =>
      (await import('./candle-drawing.ts')).drawCandles(host, colours, decimals, onCursor),
    [decimals, onCursor],
  );
  const { host, drawing, hasFailed } = useDrawing(open);
  useEffect(() => drawing?.setBars(bars, stepSeconds), [drawing, bars, stepSeconds]);
  useEffect(() => drawing?.setEntry(entry), [drawing, entry]);
  return <Canvas host={host} hasFailed={hasFailed} />;
}
