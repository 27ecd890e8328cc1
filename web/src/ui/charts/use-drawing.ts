import { type RefObject, useEffect, useRef, useState } from 'react';
import { type ChartColours, readChartColours } from './chart-colours.ts';

type Drawn = { setColours(colours: ChartColours): void; remove(): void };

/**
 * The canvas of a chart. The drawing code is a chunk of its own, loaded with the first chart on screen. The canvas
 * measures its labels once, so it waits for the font; it cannot read CSS variables, so it is redrawn on a theme change.
 */
export function useDrawing<Drawing extends Drawn>(
  open: (host: HTMLElement, colours: ChartColours) => Promise<Drawing>,
): { host: RefObject<HTMLDivElement | null>; drawing: Drawing | undefined; hasFailed: boolean } {
  const host = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing>();
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    let isGone = false;
    let made: Drawing | undefined;
    document.fonts.ready
      .then(() => host.current && open(host.current, readChartColours(host.current)))
      .then((opened) => {
        if (isGone) return opened?.remove();
        made = opened ?? undefined;
        setDrawing(() => made);
      })
      .catch(() => setFailed(true));
    return () => {
      isGone = true;
      made?.remove();
      setDrawing(undefined);
    };
  }, [open]);

  useEffect(() => {
    if (!drawing) return;
    const observer = new MutationObserver(() => host.current && drawing.setColours(readChartColours(host.current)));
    observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => observer.disconnect();
  }, [drawing]);

  return { host, drawing, hasFailed };
}
