import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AssetIcon } from './asset-icon.tsx';
import classes from './asset-link.module.css';

type AssetLinkProps = {
  /** `btc` */
  symbol: string;
  to: string;
  /** The line below the name; links in it work by themselves. */
  detail: ReactNode;
  /** The line may take two where there is little room. */
  wraps?: boolean;
};

/** What a row is about: icon, pair, and a line below. The whole of it leads where the name leads. */
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
