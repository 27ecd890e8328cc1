import type { BacktestResult } from '#contract/trading/backtest.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';

type AssetRow = BacktestResult['assets'][number];

const arrived: ListQuery = {
  isError: false,
  isFetching: false,
  error: null,
  dataUpdatedAt: 0,
  refetch: () => undefined,
};

const columns: readonly Column<AssetRow>[] = [
  {
    key: 'asset',
    label: 'Asset',
    render: (asset) => <AssetLink symbol={asset.symbol} to={paths.symbol(asset.symbol)} detail={priceWords(asset)} />,
  },
  { key: 'putIn', label: 'Put in', align: 'right', render: (asset) => <Money value={asset.put_in} decimals="typed" /> },
  { key: 'trades', label: 'Trades', align: 'right', render: (asset) => asset.trades.toLocaleString('en-US') },
  { key: 'fees', label: 'Fees', align: 'right', render: (asset) => <Money value={asset.fees_paid} /> },
  {
    key: 'hold',
    label: 'Simply holding',
    align: 'right',
    render: (asset) => <SignedMoney value={asset.hold_result} />,
  },
  { key: 'result', label: 'Result', align: 'right', render: (asset) => <SignedMoney value={asset.result} /> },
];

/** Each asset by itself, in the order of the list and not by result. */
export function AssetPanel({ assets }: { assets: BacktestResult['assets'] }) {
  if (assets.length < 2) return null;
  return (
    <Panel title="By asset" rule padded={false}>
      <DataTable
        label="Result by asset"
        columns={columns}
        rows={assets}
        rowKey={(asset) => asset.symbol}
        query={arrived}
        empty={{ icon: null, title: 'No asset' }}
        dense
      />
    </Panel>
  );
}

const priceWords = ({ sessions_without_price: missing }: AssetRow): string =>
  missing === 0 ? 'prices in every session' : `no price in ${missing} ${missing === 1 ? 'session' : 'sessions'}`;
