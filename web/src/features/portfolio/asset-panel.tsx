import { IconChartPie } from '@tabler/icons-react';
import type { AssetResult } from '#contract/trading/portfolio.ts';
import { plural, t } from '../../api/texts.ts';
import { AssetRow } from '../../entities/trade/asset-row.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { sumAssets, winRate } from './sum-assets.ts';

const feesOf = ({
  trade_fees: trade,
  performance_fees: performance,
}: Pick<AssetResult, 'trade_fees' | 'performance_fees'>) => trade + performance;
const countText = ({ trades, winning, losing }: AssetResult) =>
  t`${plural(trades, { one: '# trade', other: '# trades' })}, ${winning} won, ${losing} lost`;

const columns: readonly Column<AssetResult>[] = [
  column(t`Asset`, (row) => <AssetLink symbol={row.symbol} to={paths.symbol(row.symbol)} detail={countText(row)} />),
  rightColumn(t`Win rate`, (row) => <Percent value={winRate(row)} />),
  rightColumn(t`Volume`, (row) => <Money value={row.volume} decimals={2} />),
  rightColumn(t`Fees`, (row) => (
    <>
      <Money value={feesOf(row)} />
      <small>
        {formatMoney(row.trade_fees, 2)} + {formatMoney(row.performance_fees, 2)}
      </small>
    </>
  )),
  rightColumn(t`P&L`, (row) => <SignedMoney value={row.result} />),
];

/** Results of settled trades by asset, best first. */
export function AssetPanel({ assets, query }: { assets: readonly AssetResult[]; query: ListQuery }) {
  const rows = assets.toSorted((a, b) => b.result - a.result);
  const sum = sumAssets(assets);
  return (
    <TablePanel
      title={t`By asset`}
      foot={t`Settled trades only. Fees include trade fees and performance fees.`}
      label={t`P&L by asset`}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.symbol}
      query={query}
      totals={[
        plural(sum.trades, { one: '# trade', other: '# trades' }),
        <Percent key="rate" value={winRate(sum)} />,
        <Money key="volume" value={sum.volume} decimals={2} />,
        <Money key="fees" value={feesOf(sum)} />,
        <SignedMoney key="result" value={sum.result} />,
      ]}
      mobileRow={(row) => (
        <AssetRow symbol={row.symbol} to={paths.symbol(row.symbol)} detail={countText(row)}>
          <SignedMoney value={row.result} />
          <Note>{t`Fees ${formatMoney(feesOf(row), 2)}`}</Note>
        </AssetRow>
      )}
      empty={{
        icon: IconChartPie,
        title: t`No settled trades yet`,
        text: t`Assets appear here with their trades, fees and P&L after the first settlement.`,
      }}
    />
  );
}
