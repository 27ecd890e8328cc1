import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { MarketEntry } from '#contract/market.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { Delayed } from '../../entities/trade/delayed.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { LoadingRows, QueryFault, useLate } from '../../ui/table/data-table-states.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './market-list.module.css';

/** The pairs in two columns; each row links to its page. */
export function MarketList() {
  const query = useQuery(marketQuery);
  const late = useLate(query.isPending);
  return (
    <Panel
      title={t`Market`}
      rule
      padded={false}
      control={<Text span inherit c="dimmed" fz="xs">{t`Price in USDT, change in 24 h`}</Text>}
    >
      <QueryFault query={query} />
      {(query.data || !query.isError) && (
        <ul className={classes.list} aria-label={t`Market`} aria-busy={query.isPending || undefined}>
          {query.data?.pairs.map((pair) => (
            <MarketRow key={pair.displayName} pair={pair} />
          ))}
          {late && <LoadingRows />}
        </ul>
      )}
    </Panel>
  );
}

function MarketRow({ pair }: { pair: MarketEntry }) {
  const symbol = pair.displayName.split('/')[0] ?? pair.displayName;
  return (
    <li>
      <Link className={classes.row} to={paths.symbol(symbol)}>
        <AssetIcon symbol={symbol} size={24} />
        <b>
          {pair.displayName} <Delayed symbol={symbol} />
        </b>
        {pair.listed ? (
          <>
            <Sparkline values={pair.spark} className={classes.spark ?? ''} />
            <span>
              <Price value={pair.rate} symbol={symbol} />
            </span>
            <span>
              <Percent value={pair.change_24h} signed />
            </span>
          </>
        ) : (
          <span className={classes.unlisted}>
            <StateBadge of="asset" state="off">{t`Not tradable here`}</StateBadge>
          </span>
        )}
      </Link>
    </li>
  );
}
