import { Group } from '@mantine/core';
import { IconChartPie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { formatMarketTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { AssetIcon } from '../../../ui/text/asset-icon.tsx';
import { Money, Price } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { AssetDetail } from './asset-detail.tsx';
import { priceAge, sourceOf } from './labels.ts';
import { assetsQuery } from './queries.ts';

/** What can be traded and at which spread: prices, positions and what waits, asset by asset. */
export function AssetsPage() {
  const operator = useOperator();
  const query = useQuery(assetsQuery);
  const { data } = query;
  return (
    <ListPage
      path="assets"
      title="Assets and spreads"
      facts={data ? factsOf(data.feed) : 'What can be traded, at which spread, and what is open.'}
      label="Assets"
      columns={columnsAt(data?.feed.at ?? '')}
      list={{ query, rows: data?.items }}
      rowKey={(row) => row.symbol}
      empty={{ icon: <IconChartPie size={20} stroke={1.5} />, title: 'The market is not ready yet' }}
      detail={(symbol, close, asset) =>
        data &&
        asset && (
          <AssetDetail
            key={symbol}
            asset={asset}
            feed={data.feed}
            isAdmin={operator?.role === 'admin'}
            onClose={close}
          />
        )
      }
    />
  );
}

const factsOf = (feed: Feed): string =>
  `Prices: ${sourceOf(feed)}, market time ${formatMarketTime(feed.at)}. A new spread begins with the next session.`;

const columnsAt = (marketAt: string): readonly Column<ConsoleAsset>[] => [
  {
    key: 'asset',
    label: 'Asset',
    render: (row) => (
      <Group gap={10} wrap="nowrap">
        <AssetIcon symbol={row.symbol} size={24} off={!row.active} />
        {row.name}
      </Group>
    ),
  },
  { key: 'state', label: 'State', width: '96px', render: (row) => <AssetState asset={row} /> },
  {
    key: 'spread',
    label: 'Spread',
    align: 'right',
    width: '88px',
    render: (row) => (
      <>
        {percentWords(row.spread_bps)}
        {row.next_spread && <small>next {percentWords(row.next_spread.spread_bps)}</small>}
      </>
    ),
  },
  {
    key: 'price',
    label: 'Last price',
    align: 'right',
    width: '116px',
    render: (row) => (
      <>
        <Price value={row.price} symbol={row.symbol} />
        {row.price_at !== null && <small>{priceAge(row.price_at, marketAt)} ago</small>}
      </>
    ),
  },
  {
    key: 'positions',
    label: 'Open positions',
    align: 'right',
    width: '128px',
    from: 'middle',
    render: (row) => (
      <>
        {row.positions.count.toLocaleString('en-US')}
        <small>
          <Money value={row.positions.value} decimals={2} />
        </small>
      </>
    ),
  },
  {
    key: 'queued',
    label: 'Queued',
    align: 'right',
    width: '104px',
    from: 'wide',
    render: (row) => (
      <>
        {row.queued.count.toLocaleString('en-US')}
        <small>
          <Money value={row.queued.amount} decimals={2} />
        </small>
      </>
    ),
  },
];

/** Whether it can be traded, and whether its price still holds. */
export function AssetState({ asset }: { asset: Pick<ConsoleAsset, 'active' | 'stale' | 'price'> }) {
  if (!asset.active) return <StateBadge of="asset" state="off" />;
  if (asset.price === null) {
    return (
      <StateBadge of="asset" state="stale">
        No price
      </StateBadge>
    );
  }
  return <StateBadge of="asset" state={asset.stale ? 'stale' : 'on'} />;
}
