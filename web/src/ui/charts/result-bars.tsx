import classes from './result-bars.module.css';

type ResultBarsProps = {
  results: readonly Result[];
  /** What the chart shows, in a sentence, where no `ChartFrame` says it; its figures are in a table beside it. */
  summary?: string;
  /** Height in px; without it, that of the container. */
  height?: number;
  /** Maximum width of a bar, in px. */
  barWidth?: number;
};

/**
 * Results up or down from zero, with a dot on the line for none. Boxes instead of a canvas: so simple a chart does not
 * need the charting library.
 */
export function ResultBars({ results, summary, height, barWidth = 40 }: ResultBarsProps) {
  const { bars, zero } = resultBars(results);
  return (
    <div
      className={classes.bars}
      style={{ height: height ?? '100%' }}
      {...(summary !== undefined && { role: 'img', 'aria-label': summary })}
    >
      <i className={classes.zero} style={{ top: `${zero}%` }} />
      {bars.map(({ key, result, top, height: tall }) => (
        <span key={key} style={{ maxWidth: barWidth }}>
          {result === null ? (
            <i className={classes.none} style={{ top: `${zero}%` }} />
          ) : (
            <i data-tone={result > 0 ? 'gain' : 'loss'} style={{ top: `${top}%`, height: `${tall}%` }} />
          )}
        </span>
      ))}
    </div>
  );
}

/** Values for the bars; null for no result. */
type Result = { readonly key: string; readonly result: number | null };
type ResultBar = Result & { readonly top: number; readonly height: number };

/** A bar that is not zero stays visible. */
const MIN_HEIGHT = 1;

/**
 * Bars up or down from one zero line, in a chart of height 100. Gains and losses share one scale, so that a loss weighs
 * as much as a gain of the same size. Results of +10 and −5 give 66.7 above the line and 33.3 below it.
 */
export function resultBars(results: readonly Result[]): { bars: ResultBar[]; zero: number } {
  const values = results.map(({ result }) => result ?? 0);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const span = highest - lowest || 1;
  const zero = highest === lowest ? 50 : (highest / span) * 100;
  const bars = results.map((item) => {
    const result = item.result ?? 0;
    const height = result === 0 ? 0 : Math.max((Math.abs(result) / span) * 100, MIN_HEIGHT);
    return { ...item, height, top: result > 0 ? zero - height : zero };
  });
  return { bars, zero };
}
