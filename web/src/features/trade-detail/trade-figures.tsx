import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import { feesOf } from '../../entities/trade/labels.ts';
import { percentOf } from '../../ui/format/number.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';

const sourceLabels = {
  primary: t`From the Primary Wallet`,
  profit: t`From the Profit Wallet`,
  investment: t`From a plan`,
};

const entryFoot = ({ open_price: price, execution }: TradeDetail['trade']): string => {
  if (price === null) return t`Known when it opens`;
  return execution ? t`Exchange’s fill, its fee and our markup` : t`Mark price plus half the spread`;
};

const exitFoot = ({ live, close_price: price, execution, close_execution: sold }: TradeDetail['trade']): string => {
  if (live !== null)
    return execution ? t`Closing costs the exchange’s fee and half the spread` : t`Closing costs half the spread`;
  if (price === null) return t`Known when it closes`;
  return sold ? t`Exchange’s fill, less its fee and our markup` : t`Mark price less half the spread`;
};

/** The trade's result, and its figures as shown elsewhere. */
export function TradeFigures({ detail }: { detail: TradeDetail }) {
  const { trade } = detail;
  const isOpen = trade.live !== null;
  const result = isOpen ? trade.live?.result : trade.result;
  return (
    <FigureStrip>
      <Figure
        label={isOpen ? t`Unrealised P&L` : t`P&L`}
        foot={
          result === null || result === undefined ? (
            t`Known after settlement`
          ) : (
            <Trans
              text={t`<percent/> of the amount traded`}
              percent={<Percent value={percentOf(result, trade.amount)} signed />}
            />
          )
        }
      >
        <SignedMoney value={result} />
      </Figure>
      <Figure label={t`Amount`} foot={sourceLabels[trade.wallet_type]}>
        <Money value={trade.amount} />
      </Figure>
      <Figure label={t`Entry price`} foot={entryFoot(trade)}>
        <Price value={trade.open_price} symbol={trade.symbol} />
      </Figure>
      <Figure label={isOpen ? t`Mark price` : t`Exit price`} foot={exitFoot(trade)}>
        <Price value={isOpen ? trade.live?.price : trade.close_price} symbol={trade.symbol} />
      </Figure>
      <Figure label={t`Fees`} foot={t`Trade fee and performance fee`}>
        <Money value={feesOf(trade)} />
      </Figure>
    </FigureStrip>
  );
}
