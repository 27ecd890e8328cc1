import type { Portfolio } from '#contract/trading/portfolio.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDay } from '../../ui/format/time.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';

/** What it is worth, what was put in, what became of it and why; and how far it fell on the way. */
export function PortfolioFigures({ portfolio }: { portfolio: Portfolio | undefined }) {
  return (
    <>
      <Worth portfolio={portfolio} />
      <Falls portfolio={portfolio} />
    </>
  );
}

function Worth({ portfolio }: { portfolio: Portfolio | undefined }) {
  const putIn = portfolio?.equity.at(-1)?.put_in;
  const { summary, result, totals } = portfolio ?? {};
  return (
    <FigureStrip>
      <Figure label="Net worth" foot="wallets, trades, plans, on hold">
        <Money value={summary?.net_worth} />
      </Figure>
      <Figure
        label="Put in, less withdrawn"
        foot={
          summary && `${formatMoney(summary.deposited, 'typed')} in, ${formatMoney(summary.withdrawn, 'typed')} out`
        }
      >
        <Money value={putIn} />
      </Figure>
      <Figure
        label="Result so far"
        foot={
          result === undefined || putIn === undefined || putIn <= 0 ? (
            'net worth less the money put in'
          ) : (
            <>
              <Percent value={(result.total / putIn) * 100} signed /> of the money put in
            </>
          )
        }
      >
        <SignedMoney value={result?.total} />
      </Figure>
      <Figure
        label="Of this, realised in trades"
        foot={totals && `${totals.trades} settled: ${totals.winning} up, ${totals.losing} down`}
      >
        <SignedMoney value={result?.realised} />
      </Figure>
      <Figure label="Of this, in open trades" foot={result && restWords(result)}>
        <SignedMoney value={result?.open} />
      </Figure>
    </FigureStrip>
  );
}

/** `restWords({ income: 12, corrections: 0 })` is "the rest is team income $12.00". */
function restWords({ income, corrections }: Pick<Portfolio['result'], 'income' | 'corrections'>): string {
  const parts = [
    ...(income === 0 ? [] : [`team income ${formatMoney(income, 2)}`]),
    ...(corrections === 0 ? [] : [`corrections ${formatMoney(corrections, 2)}`]),
  ];
  return parts.length === 0 ? 'if they were sold now' : `the rest is ${parts.join(', ')}`;
}

function Falls({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { drawdown, totals } = portfolio ?? {};
  const now = portfolio?.equity.at(-1);
  const { deepest_amount: amount, deepest_percent: percent } = drawdown ?? {};
  return (
    <FigureStrip>
      <Figure
        label="Drawdown now"
        foot={
          drawdown && (
            <>
              <Percent value={drawdown.now.percent} /> under its highest result
            </>
          )
        }
      >
        <Money value={drawdown?.now.amount} />
      </Figure>
      <Figure label="Deepest drawdown" foot={amount?.at ? `on ${formatDay(amount.at)}` : 'none so far'}>
        <Money value={amount?.amount} />
      </Figure>
      <Figure label="Deepest in percent" foot={percent?.at ? `on ${formatDay(percent.at)}` : 'none so far'}>
        <Percent value={percent?.percent} />
      </Figure>
      <Figure
        label="If simply held"
        foot={
          now?.held === null || now === undefined ? (
            'unknown before there are prices'
          ) : (
            <>
              you have <SignedMoney value={now.value - now.held} decimals={2} /> against it
            </>
          )
        }
      >
        <Money value={now?.held} />
      </Figure>
      <Figure
        label="Fees paid"
        foot={
          totals && `${formatMoney(totals.trade_fees, 2)} trade, ${formatMoney(totals.performance_fees, 2)} performance`
        }
      >
        <Money value={totals?.fees_paid} />
      </Figure>
    </FigureStrip>
  );
}
