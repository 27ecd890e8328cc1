import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AssetIcon } from './asset-icon.tsx';
import classes from './asset-link.module.css';

type AssetLinkProps = {
  /** `btc` */
  symbol: string;
  to: string;
  /** The line below the name; links in it work independently. */
  detail: ReactNode;
  /** The line may wrap to two where space is tight. */
  wraps?: boolean;
};

/** The subject of a row: icon, pair, and a line below. All of it follows the name's link. */
export function AssetLink({ symbol, to, detail, wraps = false }: AssetLinkProps) {
  return (
    <span className={classes.asset} data-wraps={wraps || undefined}>
      <AssetIcon symbol={symbol} />
      <span>
        <Link className={classes.pair} to={to}>
          {`${symbol}/usdt`}
        </Link>
        <small>{detail}</small>
      </span>
    </span>
  );
}
