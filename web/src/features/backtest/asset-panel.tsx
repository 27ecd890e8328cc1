import type { BacktestResult } from '#contract/trading/backtest.ts';
import { plural, t } from '../../api/texts.ts';
import { formatCount } from '../../ui/format/number.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';

type AssetRow = BacktestResult['assets'][number];

const columns: readonly Column<AssetRow>[] = [
  {
    key: 'asset',
    label: t`Asset`,
    render: (asset) => <AssetLink symbol={asset.symbol} to={paths.symbol(asset.symbol)} detail={priceWords(asset)} />,
  },
  {
    key: 'putIn',
    label: t`Invested`,
    align: 'right',
    render: (asset) => <Money value={asset.put_in} decimals="typed" />,
  },
  { key: 'trades', label: t`Trades`, align: 'right', render: (asset) => formatCount(asset.trades) },
  { key: 'fees', label: t`Fees`, align: 'right', render: (asset) => <Money value={asset.fees_paid} /> },
  {
    key: 'hold',
    label: t`Buy and hold`,
    align: 'right',
    render: (asset) => <SignedMoney value={asset.hold_result} />,
  },
  { key: 'result', label: t`P&L`, align: 'right', render: (asset) => <SignedMoney value={asset.result} /> },
];

/** Each asset by itself, in the order of the list and not by result. */
export function AssetPanel({ assets }: { assets: BacktestResult['assets'] }) {
  if (assets.length < 2) return null;
  return (
    <Panel title={t`By asset`} rule padded={false}>
      <DataTable
        label={t`P&L by asset`}
        columns={columns}
        rows={assets}
        rowKey={(asset) => asset.symbol}
        query={arrived}
        empty={{ icon: null, title: t`No asset` }}
        dense
      />
    </Panel>
  );
}

const priceWords = ({ sessions_without_price: missing }: AssetRow): string =>
  missing === 0
    ? t`Prices in every session`
    : t`No price in ${plural(missing, { one: '# session', other: '# sessions' })}`;
