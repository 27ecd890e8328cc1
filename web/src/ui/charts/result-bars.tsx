import classes from './result-bars.module.css';
import { type Result, resultBars } from './result-bars.ts';

type ResultBarsProps = {
  results: readonly Result[];
  /** What the picture says, in a sentence; its figures stand in a table beside it. */
  summary: string;
  /** Height of the picture in px. */
  height: number;
};

/** Results up or down from zero; a dot on the line where there was none. */
export function ResultBars({ results, summary, height }: ResultBarsProps) {
  const { bars, zero } = resultBars(results);
  return (
    <div className={classes.bars} style={{ height }} role="img" aria-label={summary}>
      <i className={classes.zero} style={{ top: `${zero}%` }} />
      {bars.map(({ key, result, top, height: tall }) => (
        <span key={key}>
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
