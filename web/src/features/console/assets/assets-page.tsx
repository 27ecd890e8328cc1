import { Group } from '@mantine/core';
import { IconChartPie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { consoleAssets } from '#contract/endpoints.ts';
import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatBps } from '../../../entities/income/fees.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Awaited } from '../../../ui/layout/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { AssetIcon } from '../../../ui/text/asset-icon.tsx';
import { Money, Price } from '../../../ui/text/money.tsx';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { financeRoles } from '../roles.ts';
import { AssetDetail } from './asset-detail.tsx';
import { AssetState, priceAge, sourceOf } from './asset-state.tsx';

const LIST_POLL_MS = 10_000;

const assetsQuery = queryOf(['operator', 'assets', 'list'], consoleAssets.listAssets, {
  pollMs: LIST_POLL_MS,
});

/** All assets with state, spread, price, open positions and queued trades. */
export function AssetsPage() {
  const { role } = useOperator();
  const query = useQuery(assetsQuery);
  const { data } = query;
  return (
    <ListPage
      path="assets"
      title="Assets and spreads"
      facts={<Awaited isThere={data !== undefined}>{data ? factsOf(data.feed) : AWAITED_FACTS}</Awaited>}
      label="Assets"
      columns={columnsAt(data?.feed.at ?? '')}
      list={{ query, rows: data?.items }}
      rowKey={(row) => row.symbol}
      empty={{
        icon: IconChartPie,
        title: 'No assets yet',
        text: 'Assets appear here once the market feed has started.',
      }}
      detail={(symbol, close, asset) =>
        data &&
        asset && (
          <AssetDetail
            key={symbol}
            asset={asset}
            feed={data.feed}
            isAdmin={role === 'admin'}
            mayPropose={financeRoles.includes(role)}
            onClose={close}
          />
        )
      }
    />
  );
}

/** Placeholder of the same length. */
const AWAITED_FACTS =
  'Prices: simulated market, market time 4 Mar 2026, 12:00 UTC. A new spread applies from the next session.';

const factsOf = (feed: Feed): string =>
  `Prices: ${sourceOf(feed)}, market time ${formatDateTime(feed.at)}. A new spread applies from the next session.`;

const columnsAt = (marketAt: string): readonly Column<ConsoleAsset>[] => [
  column('Asset', (row) => (
    <Group gap={10} wrap="nowrap">
      <AssetIcon symbol={row.symbol} size={24} off={!row.active} />
      {row.name}
    </Group>
  )),
  column('State', (row) => <AssetState asset={row} />, { width: '96px' }),
  rightColumn(
    'Spread',
    ({ spread_bps, next_spread: next }) => lines(formatBps(spread_bps), next && `next ${formatBps(next.spread_bps)}`),
    { width: '88px' },
  ),
  rightColumn(
    'Last price',
    ({ price, symbol, price_at }) =>
      lines(<Price value={price} symbol={symbol} />, price_at !== null && `${priceAge(price_at, marketAt)} ago`),
    { width: '116px' },
  ),
  rightColumn(
    'Open positions',
    ({ positions }) => lines(positions.count.toLocaleString('en-US'), <Money value={positions.value} decimals={2} />),
    { width: '128px', drop: 'next' },
  ),
  rightColumn(
    'Queued',
    ({ queued }) => lines(queued.count.toLocaleString('en-US'), <Money value={queued.amount} decimals={2} />),
    { width: '104px', drop: 'first' },
  ),
];
