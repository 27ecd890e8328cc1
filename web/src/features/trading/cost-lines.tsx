import { Text } from '@mantine/core';
import type { Session } from '#contract/trading/trading.ts';
import { feeLines, ofGain, rateLabel } from '../../entities/income/fee-lines.ts';
import { useTradeTerms } from '../../entities/income/fee-terms.ts';
import { spreadWords } from '../../entities/income/spreads.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { settlesWhen } from '../../entities/trade/session-labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
import classes from './cost-lines.module.css';

type Asked = { amount: number | null; symbol: string | null };

/** What it costs, what it buys and when it settles. */
export function CostLines({
  amount,
  symbol,
  spreadBps,
  session,
}: Asked & { spreadBps: number | undefined; session: Session | undefined }) {
  const terms = useTradeTerms();
  const lines = feeLines(amount, terms?.trade_fee_bps);
  const when =
    session === undefined || session.state === 'ended' ? null : settlesWhen(session, new Date(session.market_time));
  const positionLabel = symbol === null ? 'Position' : `Position in ${pairOf(symbol)}`;
  return (
    <div className={classes.lines}>
      <KeyValues
        items={[
          [rateLabel('Trade fee', terms?.trade_fee_bps), <Money key="fee" value={lines?.fee} />],
          [positionLabel, <Money key="position" value={lines?.position} />],
          ['Spread', <Quiet key="spread">{spreadWords(spreadBps)}</Quiet>],
          ['Performance fee', <Quiet key="performance">{ofGain(terms?.performance_fee_bps)}</Quiet>],
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

const Quiet = ({ children }: { children: React.ReactNode }) => (
  <Text span inherit c="var(--tw-text-2)">
    {children}
  </Text>
);

/** The same in one line above the button, where the lines have scrolled away. */
export function CostSummary({ amount, symbol }: Asked) {
  const lines = feeLines(amount, useTradeTerms()?.trade_fee_bps);
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
