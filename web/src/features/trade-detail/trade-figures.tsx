import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';

const sourceWords = { primary: 'from the primary wallet', profit: 'from the profit wallet', investment: 'of a plan' };

/** What it came to, and the figures that stand for it everywhere else. */
export function TradeFigures({ detail }: { detail: TradeDetail }) {
  const { trade } = detail;
  const isOpen = trade.live !== null;
  const result = isOpen ? trade.live?.result : trade.result;
  const fees = trade.fee === null ? null : trade.fee + (trade.performance_fee ?? 0);
  return (
    <FigureStrip>
      <Figure
        label={isOpen ? 'Result if sold now' : 'Result'}
        foot={
          result === null || result === undefined ? (
            'known once it is settled'
          ) : (
            <>
              <Percent value={(result / trade.amount) * 100} signed /> of the amount
            </>
          )
        }
      >
        <SignedMoney value={result} />
      </Figure>
      <Figure label="Amount" foot={sourceWords[trade.wallet_type]}>
        <Money value={trade.amount} />
      </Figure>
      <Figure label="Bought at" foot="the mark and half the spread">
        <Price value={trade.open_price} symbol={trade.symbol} />
      </Figure>
      <Figure
        label={isOpen ? 'Mark now' : 'Sold at'}
        foot={isOpen ? 'it would be sold at half the spread less' : 'the mark less half the spread'}
      >
        <Price value={isOpen ? trade.live?.price : trade.close_price} symbol={trade.symbol} />
      </Figure>
      <Figure label="Fees" foot="trade and performance fee">
        <Money value={fees} />
      </Figure>
    </FigureStrip>
  );
}
