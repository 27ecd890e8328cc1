import { feeDefaults } from '#contract/rules.ts';
import type { Session } from '#contract/trading.ts';
import { formatMoney } from '../../shared/format/money.ts';
import { feeLines, percentWords } from '../../shared/trading/fee-lines.ts';
import { settlesWhen } from '../../shared/trading/session-words.ts';
import { pairOf } from '../../shared/trading/words.ts';
import { KeyValues } from '../../shared/ui/key-values.tsx';
import { Money } from '../../shared/ui/money.tsx';
import classes from './cost-lines.module.css';

type Asked = { amount: number | null; symbol: string | null };

/** What it costs, what it buys and when it settles. */
export function CostLines({ amount, symbol, session }: Asked & { session: Session | undefined }) {
  const lines = feeLines(amount);
  const when =
    session === undefined || session.state === 'ended' ? null : settlesWhen(session, new Date(session.market_time));
  const positionLabel = symbol === null ? 'Position' : `Position in ${pairOf(symbol)}`;
  return (
    <div className={classes.lines}>
      <KeyValues
        items={[
          [`Trade fee, ${percentWords(feeDefaults.tradeBps)}`, <Money key="fee" value={lines?.fee} />],
          [positionLabel, <Money key="position" value={lines?.position} />],
          ['Performance fee', <Quiet key="performance">{percentWords(feeDefaults.performanceBps)} of a gain</Quiet>],
          ...(when?.opens ? ([['Opens', <Quiet key="opens">at the next opening, {when.opens}</Quiet>]] as const) : []),
          [
            'Settles',
            <Quiet key="settles">{session?.state === 'ended' ? 'no session follows' : (when?.settles ?? '–')}</Quiet>,
          ],
        ]}
      />
    </div>
  );
}

const Quiet = ({ children }: { children: React.ReactNode }) => <span className={classes.quiet}>{children}</span>;

/** The same in one line above the button, where the lines have scrolled away. */
export function CostSummary({ amount, symbol }: Asked) {
  const lines = feeLines(amount);
  if (lines === null) return null;
  return (
    <p className={classes.summary}>
      <span>
        Position {formatMoney(lines.position, 'typed')}
        {symbol === null ? '' : ` in ${pairOf(symbol)}`}
      </span>
      <span>fee {formatMoney(lines.fee, 'typed')}</span>
    </p>
  );
}
