import type { Portfolio } from '#contract/trading.ts';
import { Figure, FigureStrip } from '../../shared/ui/figure.tsx';
import { Money, Percent, SignedMoney } from '../../shared/ui/money.tsx';

/** The five figures of the page: what it is worth, what was put in, and what became of it. */
export function PortfolioFigures({ portfolio }: { portfolio: Portfolio | undefined }) {
  const putIn = portfolio?.equity.at(-1)?.put_in;
  const result = portfolio === undefined || putIn === undefined ? null : portfolio.net_worth - putIn;
  const totals = portfolio?.totals;
  return (
    <FigureStrip>
      <Figure label="Net worth" foot="wallets and open trades">
        <Money value={portfolio?.net_worth} />
      </Figure>
      <Figure label="Put in, less withdrawn" foot="the dashed line below">
        <Money value={putIn} />
      </Figure>
      <Figure
        label="Result so far"
        foot={
          result === null || putIn === undefined || putIn <= 0 ? (
            'net worth less the money put in'
          ) : (
            <>
              <Percent value={(result / putIn) * 100} signed /> of the money put in
            </>
          )
        }
      >
        <SignedMoney value={result} />
      </Figure>
      <Figure
        label="Realised in trades"
        foot={totals && `${totals.trades} settled: ${totals.winning} up, ${totals.losing} down`}
      >
        <SignedMoney value={totals?.realised} />
      </Figure>
      <Figure label="Fees paid" foot="trade and performance fees">
        <Money value={totals?.fees_paid} />
      </Figure>
    </FigureStrip>
  );
}
