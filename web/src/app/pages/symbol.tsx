import { useParams } from 'react-router';
import { t } from '../../api/texts.ts';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { AssetQuote } from '../../features/market/asset-quote.tsx';
import { CandleChart } from '../../features/market/candle-chart.tsx';
import { useLiveTrades } from '../../features/trading/open-trades.tsx';
import { PositionCard } from '../../features/trading/position-card.tsx';
import { QueuedTrades } from '../../features/trading/queued-trades.tsx';
import { sumTrades } from '../../features/trading/sum-trades.ts';
import { TradeList } from '../../features/trading/trade-list.tsx';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text.tsx';
import classes from './symbol.module.css';

/** `/btc`: everything about one asset. An unknown one is not found before this (`SignedInOnly`). */
export function SymbolPage() {
  const { symbol = '' } = useParams();
  // The key remounts the page for each asset: a page of trades or a chart interval belongs to one asset.
  return <AssetPage key={symbol} symbol={symbol} />;
}

function AssetPage({ symbol }: { symbol: string }) {
  const { trades, areAll } = useLiveTrades(symbol);
  const negative = useNegativeMembers();
  return (
    <>
      <AssetQuote symbol={symbol} />
      <div className={classes.grid}>
        <div className={classes.main}>
          <CandleChart symbol={symbol} entry={trades !== undefined && areAll ? sumTrades(trades).entry : null} />
        </div>
        <div className={classes.side}>
          <PositionCard symbol={symbol} />
          <QueuedTrades symbol={symbol} />
        </div>
        <div className={classes.trades}>
          <TradeList
            title={t`My trades in ${symbol}`}
            symbol={symbol}
            note={negative}
            control={<TextLink to={paths.portfolio}>{t`All trades`}</TextLink>}
          />
        </div>
      </div>
    </>
  );
}
