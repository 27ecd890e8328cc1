import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { exactDollars, grouped, workingOf } from './working.ts';
import classes from './working-panel.module.css';

/** The calculation with this trade's numbers, every digit of them. */
export function WorkingPanel({ detail }: { detail: TradeDetail }) {
  const steps = workingOf(detail);
  const isDerived = [detail.opening, detail.closing].some((fill) => fill?.mark_source === 'derived');
  return (
    <Panel
      title="The number, step by step"
      rule
      padded={false}
      foot="In dollars with every digit the ledger has. Money is cut after 6 decimals, prices are rounded after 12, once each."
    >
      <dl className={classes.steps}>
        <div>
          <dt>
            Amount A<small>what you put on it</small>
          </dt>
          <dd className={classes.result}>{exactDollars(detail.trade.amount)}</dd>
        </div>
        {steps.map(({ name, rule, numbers, result, signed }) => (
          <div key={name}>
            <dt>
              {name}
              <small>{rule}</small>
            </dt>
            <dd className={classes.numbers}>{numbers}</dd>
            <dd className={classes.result} data-tone={toneOf(signed)}>
              = {result}
            </dd>
          </div>
        ))}
      </dl>
      {steps.length === 0 && <p className={classes.note}>The rest follows once it has opened.</p>}
      {isDerived && (
        <p className={classes.note}>
          Marks are kept for three days. A mark that is gone is worked back from the price and the spread.
        </p>
      )}
      <Average average={detail.average} mark={detail.closing?.mark} />
    </Panel>
  );
}

const toneOf = (signed: number | undefined) =>
  signed === undefined || signed === 0 ? undefined : signed > 0 ? 'gain' : 'loss';

/** How the closing mark of the session was averaged. */
function Average({ average, mark }: { average: TradeDetail['average']; mark: string | undefined }) {
  if (!average || mark === undefined) return null;
  const { minute, from, to, parts } = average;
  const seconds = (ms: number) => `${ms / 1000} s`;
  return (
    <div className={classes.average}>
      <h3>The closing mark {grouped(mark)}</h3>
      <p>
        {minute === 'session_close'
          ? 'The average of the last minute of the session'
          : 'The average of the first full minute with fresh prices after the close'}
        , {formatTime(from)} to {formatTime(to)} UTC, each mark weighted by how long it held.
      </p>
      {parts === null ? (
        <p>The single marks are no longer kept.</p>
      ) : (
        <p className={classes.sum}>
          ({parts.map(({ price, ms }) => `${grouped(price)} × ${seconds(ms)}`).join(' + ')}) ÷{' '}
          {seconds(parts.reduce((sum, { ms }) => sum + ms, 0))} = {grouped(mark)}
        </p>
      )}
    </div>
  );
}
