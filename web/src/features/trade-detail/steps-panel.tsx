import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { Price } from '../../ui/text/money.tsx';
import { eventWords } from './labels.ts';
import classes from './steps-panel.module.css';

/** What happened to the trade, numbered as on its chart, and why. */
export function StepsPanel({ detail }: { detail: TradeDetail }) {
  const { events, decisions, trade } = detail;
  return (
    <Panel title="What happened">
      <ol className={classes.steps}>
        {events.map(({ kind, at, mark, words }, index) => (
          <li key={`${kind}${at}`}>
            <i aria-hidden="true">{index + 1}</i>
            <span>
              <b>{eventWords[kind]}</b>
              <small>
                {formatDate(at)}, {formatTime(at)}:{at.slice(17, 19)} UTC
                {mark !== null && (
                  <>
                    {' '}
                    · mark <Price value={mark} symbol={trade.symbol} />
                  </>
                )}
              </small>
              <span>{words}</span>
            </span>
          </li>
        ))}
      </ol>
      {decisions.length > 0 && (
        <div className={classes.decisions}>
          <h3>What the strategy of the plan decided</h3>
          <ul>
            {decisions.map(({ at, side, words }) => (
              <li key={side}>
                <small>{formatTime(at)} UTC</small> {words}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}
