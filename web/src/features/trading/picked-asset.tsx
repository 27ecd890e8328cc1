import { useQuery } from '@tanstack/react-query';
import { marketQuery } from '../../api/market/queries.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Price } from '../../ui/text/money.tsx';
import classes from './picked-asset.module.css';

/** The chosen asset: how it moved in the last 24 hours and what it costs now. */
export function PickedAsset({ symbol }: { symbol: string }) {
  const { data: market } = useQuery(marketQuery);
  const pair = market?.pairs.find(({ displayName }) => displayName === pairOf(symbol));
  return (
    <div className={classes.strip}>
      <AssetIcon symbol={symbol} />
      <div className={classes.name}>
        <b>{pairOf(symbol)}</b>
        <small>{pair?.apiname}</small>
      </div>
      <div className={classes.spark}>{pair && <Sparkline values={pair.spark} width={128} height={30} />}</div>
      <div className={classes.figure}>
        <small>24 h range</small>
        <span>
          <Price value={pair?.low_24h} symbol={symbol} /> to <Price value={pair?.high_24h} symbol={symbol} />
        </span>
      </div>
      <div className={classes.figure}>
        <small>Price</small>
        <b>
          <Price value={pair?.rate} symbol={symbol} />
        </b>
      </div>
    </div>
  );
}
