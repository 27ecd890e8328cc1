import { IconChartPie } from '@tabler/icons-react';
import type { AssetResult } from '#contract/trading/portfolio.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import classes from './plans-panel.module.css';
import { sumAssets, winRate } from './sum-assets.ts';

const feesOf = ({
  trade_fees: trade,
  performance_fees: performance,
}: Pick<AssetResult, 'trade_fees' | 'performance_fees'>) => trade + performance;
const countWords = ({ trades, winning, losing }: AssetResult) =>
  `${trades} ${trades === 1 ? 'trade' : 'trades'}, ${winning} up, ${losing} down`;

const columns: readonly Column<AssetResult>[] = [
  {
    key: 'asset',
    label: 'Asset',
    render: (row) => <AssetLink symbol={row.symbol} to={paths.symbol(row.symbol)} detail={countWords(row)} />,
  },
  { key: 'rate', label: 'Win rate', align: 'right', render: (row) => <Percent value={winRate(row)} /> },
  { key: 'volume', label: 'Volume', align: 'right', render: (row) => <Money value={row.volume} decimals={2} /> },
  {
    key: 'fees',
    label: 'Fees',
    align: 'right',
    render: (row) => (
      <>
        <Money value={feesOf(row)} />
        <small>
          {formatMoney(row.trade_fees, 2)} + {formatMoney(row.performance_fees, 2)}
        </small>
      </>
    ),
  },
  { key: 'result', label: 'Result', align: 'right', render: (row) => <SignedMoney value={row.result} /> },
];

/** What settled trades came to, asset by asset, the best first. */
export function AssetPanel({ assets, query }: { assets: readonly AssetResult[]; query: ListQuery }) {
  const rows = assets.toSorted((a, b) => b.result - a.result);
  const sum = sumAssets(assets);
  return (
    <Panel title="By asset" rule padded={false} foot="Settled trades. Fees are the trade fee and the performance fee.">
      <DataTable
        label="Results by asset"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.symbol}
        query={query}
        sums={[
          `${sum.trades} trades`,
          <Percent key="rate" value={winRate(sum)} />,
          <Money key="volume" value={sum.volume} decimals={2} />,
          <Money key="fees" value={feesOf(sum)} />,
          <SignedMoney key="result" value={sum.result} />,
        ]}
        mobileRow={(row) => (
          <div className={classes.row}>
            <AssetLink symbol={row.symbol} to={paths.symbol(row.symbol)} detail={countWords(row)} />
            <span>
              <SignedMoney value={row.result} />
              <small>fees {formatMoney(feesOf(row), 2)}</small>
            </span>
          </div>
        )}
        empty={{
          icon: <IconChartPie size={20} stroke={1.5} />,
          title: 'No settled trades yet',
          text: 'Each asset is listed here with its trades, fees and result once one has settled.',
        }}
      />
    </Panel>
  );
}
