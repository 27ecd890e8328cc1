import classes from './result-bars.module.css';
import { type Result, resultBars } from './result-bars.ts';

type ResultBarsProps = {
  results: readonly Result[];
  /** What the picture says, in a sentence, where no `ChartFrame` says it; its figures stand in a table beside it. */
  summary?: string;
  /** Height of the picture in px; without it, that of its frame. */
  height?: number;
  /** The widest a bar may be, in px. */
  barWidth?: number;
};

/**
 * Results up or down from zero; a dot on the line where there was none. Boxes and no canvas: so simple a picture is
 * not worth the charting library.
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
