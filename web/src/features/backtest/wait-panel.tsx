import { reasonWords } from '#contract/reasons.ts';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import classes from './wait-panel.module.css';

/** Why nothing was bought at the boundaries where nothing was: how often, and the last time in words. */
export function WaitPanel({ waits }: { waits: BacktestResult['stats']['waits'] }) {
  if (waits.length === 0) return null;
  return (
    <Panel title="Decisions not to buy" padded={false} foot="Strategies decide every 15 minutes of a session.">
      <ul className={classes.list}>
        {waits.map(({ code, count, last }) => (
          <li key={code}>
            <b>{count.toLocaleString('en-US')} ×</b>
            <div>
              {reasonWords(code, last.facts)}
              <small>
                last: {last.symbol}, {formatShortDateTime(last.time)} UTC
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
