import type { SessionAsset } from '#contract/operator/sessions.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { SignedMoney } from '../../../ui/text/money.tsx';
import classes from './asset-prices.module.css';
import { countOf, percentOfBps } from './labels.ts';

/** What each asset opened and closed at, and what its positions came to. */
export function AssetPrices({ assets }: { assets: readonly SessionAsset[] }) {
  return (
    <ul className={classes.list}>
      {assets.map((asset) => (
        <li key={asset.symbol}>
          <div className={classes.head}>
            <b>{asset.symbol.toUpperCase()}</b>
            <span>
              {countOf(asset.trades, 'trade')}, {formatMoney(asset.staked, 2)}
            </span>
            <SignedMoney value={asset.result} decimals={2} />
          </div>
          {asset.open.trades > 0 && (
            <p>
              {countOf(asset.open.trades, 'trade')} not sold yet, {formatMoney(asset.open.staked, 2)}
            </p>
          )}
          <Price
            label={asset.opening.source === 'stored' ? 'Opened' : 'Opened, mark worked back'}
            price={asset.opening}
          />
          {asset.closing && (
            <Price label={asset.closing.late ? 'Closed, first fresh minute after' : 'Closed'} price={asset.closing} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** `Opened 12:30:00 at 100.05: mark 100, spread 0.1 %` */
function Price({ label, price }: { label: string; price: Omit<SessionAsset['opening'], 'source'> }) {
  return (
    <p>
      {label} {price.at.slice(11, 19)} at <b>{price.price}</b>: mark {price.mark}, spread{' '}
      {percentOfBps(price.spread_bps)}
    </p>
  );
}
