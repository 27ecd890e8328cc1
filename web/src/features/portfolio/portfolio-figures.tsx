import type { Portfolio } from '#contract/trading/portfolio.ts';
import { t } from '../../api/texts.ts';
import { formatMoney, percentOf } from '../../ui/format/number.ts';
import { formatDay } from '../../ui/format/time.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';

/** Value, net deposits, result and its causes, and drawdown. */
export function PortfolioFigures({ portfolio }: { portfolio: Portfolio | undefined }) {
  return (
    <>
      <Worth portfolio={portfolio} />
      <Falls portfolio={portfolio} />
    </>
  );
}

function Worth({ portfolio }: { portfolio: Portfolio | undefined }) {
  const netDeposits = portfolio?.equity.at(-1)?.put_in;
  const { summary, result, totals } = portfolio ?? {};
  return (
    <FigureStrip>
      <Figure label={t`Net worth`} foot={t`Wallets, trades, plans and funds on hold`}>
        <Money value={summary?.net_worth} />
      </Figure>
      <Figure
        label={t`Net deposits`}
        foot={
          summary && t`${formatMoney(summary.deposited, 'typed')} in, ${formatMoney(summary.withdrawn, 'typed')} out`
        }
      >
        <Money value={netDeposits} />
      </Figure>
      <Figure
        label={t`Total P&L`}
        foot={
          result === undefined || netDeposits === undefined || netDeposits <= 0 ? (
            t`Net worth less net deposits`
          ) : (
            <Trans
              text={t`<percent/> of net deposits`}
              percent={<Percent value={percentOf(result.total, netDeposits)} signed />}
            />
          )
        }
      >
        <SignedMoney value={result?.total} />
      </Figure>
      <Figure
        label={t`Realised P&L`}
        foot={totals && t`${totals.trades} settled: ${totals.winning} won, ${totals.losing} lost`}
      >
        <SignedMoney value={result?.realised} />
      </Figure>
      <Figure label={t`Unrealised P&L`} foot={result && restText(result)}>
        <SignedMoney value={result?.open} />
      </Figure>
    </FigureStrip>
  );
}

/** `restText({ income: 12, corrections: 0 })` is "Total P&L includes team income $12.00". */
function restText({ income, corrections }: Pick<Portfolio['result'], 'income' | 'corrections'>): string {
  const parts = [
    ...(income === 0 ? [] : [t`team income ${formatMoney(income, 2)}`]),
    ...(corrections === 0 ? [] : [t`corrections ${formatMoney(corrections, 2)}`]),
  ];
  return parts.length === 0 ? t`If closed now` : t`Total P&L includes ${parts.join(', ')}`;
}

function Falls({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { drawdown, totals } = portfolio ?? {};
  const now = portfolio?.equity.at(-1);
  const { deepest_amount: amount, deepest_percent: percent } = drawdown ?? {};
  return (
    <FigureStrip>
      <Figure
        label={t`Current drawdown`}
        foot={
          drawdown && (
            <Trans text={t`<percent/> below the highest P&L`} percent={<Percent value={drawdown.now.percent} />} />
          )
        }
      >
        <Money value={drawdown?.now.amount} />
      </Figure>
      <Figure label={t`Max drawdown`} foot={amount && (amount.at ? t`On ${formatDay(amount.at)}` : t`None yet`)}>
        <Money value={amount?.amount} />
      </Figure>
      <Figure
        label={t`Max drawdown, percent`}
        foot={percent && (percent.at ? t`On ${formatDay(percent.at)}` : t`None yet`)}
      >
        <Percent value={percent?.percent} />
      </Figure>
      <Figure
        label={t`Buy and hold`}
        foot={
          portfolio &&
          (now?.held === null || now === undefined ? (
            t`Unknown until prices exist`
          ) : (
            <Trans
              text={t`Your portfolio: <difference/> in comparison`}
              difference={<SignedMoney value={now.value - now.held} decimals={2} />}
            />
          ))
        }
      >
        <Money value={now?.held} />
      </Figure>
      <Figure
        label={t`Fees paid`}
        foot={
          totals &&
          t`${formatMoney(totals.trade_fees, 2)} trade, ${formatMoney(totals.performance_fees, 2)} performance`
        }
      >
        <Money value={totals?.fees_paid} />
      </Figure>
    </FigureStrip>
  );
}
