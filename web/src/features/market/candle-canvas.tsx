import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ListState } from '../../ui/table/list-state.tsx';
import classes from './candle-canvas.module.css';
import type { Bar } from './candle-data.ts';
import type { CandleDrawing } from './candle-drawing.ts';
import { readChartColours } from './chart-colours.ts';

type CandleCanvasProps = {
  bars: readonly Bar[];
  stepSeconds: number;
  decimals: number;
  entry: number | null;
  /** The time of the bar under the cursor, in seconds. */
  onCursor: (time: number | null) => void;
};

/** The drawing itself. The library comes in a chunk of its own, once the first chart is on screen. */
export function CandleCanvas({ bars, stepSeconds, decimals, entry, onCursor }: CandleCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<CandleDrawing>();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let gone = false;
    let made: CandleDrawing | undefined;
    // The canvas measures its labels once, so the font has to be there first.
    Promise.all([import('./candle-drawing.ts'), document.fonts.ready])
      .then(([{ drawCandles }]) => {
        if (gone || host.current === null) return;
        made = drawCandles(host.current, readChartColours(host.current), decimals, onCursor);
        setDrawing(made);
      })
      .catch(() => setFailed(true));
    return () => {
      gone = true;
      made?.remove();
      setDrawing(undefined);
    };
  }, [decimals, onCursor]);

  useEffect(() => {
    if (!drawing) return;
    const observer = new MutationObserver(() => host.current && drawing.setColours(readChartColours(host.current)));
    observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => observer.disconnect();
  }, [drawing]);

  useEffect(() => drawing?.setBars(bars, stepSeconds), [drawing, bars, stepSeconds]);
  useEffect(() => drawing?.setEntry(entry), [drawing, entry]);

  if (failed) {
    return (
      <ListState error icon={<IconAlertTriangle size={20} stroke={1.5} />} title="The chart could not be loaded">
        Its figures stand under Show as table.
      </ListState>
    );
  }
  return <div ref={host} className={classes.host} />;
}
