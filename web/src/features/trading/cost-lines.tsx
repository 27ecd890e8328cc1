import { Group } from '@mantine/core';
import type { Session } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { CostList } from '../../entities/income/cost-list.tsx';
import { feeLines } from '../../entities/income/fee-lines.ts';
import { useTradeTerms } from '../../entities/income/fee-terms.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { settlesWhen } from '../../entities/trade/session-labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Money } from '../../ui/text/money.tsx';
import classes from './trade-form.module.css';

type Asked = { amount: number | null; symbol: string | null };

/** What it costs, what it buys and when it settles. */
export function CostLines({
  amount,
  symbol,
  spreadBps,
  session,
}: Asked & { spreadBps: number | undefined; session: Session | undefined }) {
  const terms = useTradeTerms();
  const isEnded = session?.state === 'ended';
  const when = session === undefined || isEnded ? null : settlesWhen(session, new Date(session.market_time));
  return (
    <CostList
      feeLabel={t`Trade fee`}
      amount={amount}
      terms={terms}
      spreadBps={spreadBps}
      second={[
        symbol === null ? t`Position` : t`Position in ${pairOf(symbol)}`,
        <Money key="position" value={feeLines(amount, terms?.trade_fee_bps)?.position} />,
      ]}
      rest={[
        ...(when?.opens ? [[t`Opens`, t`Next session, ${when.opens}`] as const] : []),
        [t`Settles`, isEnded ? t`No further session` : (when?.settles ?? '–')],
      ]}
    />
  );
}

/** The same in one line above the button, where the lines have scrolled away. */
export function CostSummary({ amount, symbol }: Asked) {
  const lines = feeLines(amount, useTradeTerms()?.trade_fee_bps);
  if (lines === null) return null;
  return (
    <Group
      className={classes.summary ?? ''}
      justify="space-between"
      gap="sm"
      mb={8}
      c="var(--tw-text-2)"
      fz="xs"
      lh="16px"
    >
      <span>
        {symbol === null
          ? t`Position ${formatMoney(lines.position, 'typed')}`
          : t`Position ${formatMoney(lines.position, 'typed')} in ${pairOf(symbol)}`}
      </span>
      <span>{t`Fee ${formatMoney(lines.fee, 'typed')}`}</span>
    </Group>
  );
}
