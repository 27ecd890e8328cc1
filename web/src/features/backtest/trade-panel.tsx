import { Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { reasonWords } from '#contract/reasons.ts';
import type { BacktestResult, BacktestTrade } from '#contract/trading/backtest.ts';
import { t, translate } from '../../api/texts.ts';
import { AssetRow, Pnl } from '../../entities/trade/asset-row.tsx';
import { formatCount } from '../../ui/format/number.ts';
import { formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { CsvButton } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Price } from '../../ui/text/money.tsx';

const PAGE_SIZE = 20;

/** The file has all figures in full, so that each line can be calculated again. */
export const columns: readonly Column<BacktestTrade>[] = [
  {
    key: 'asset',
    label: t`Asset`,
    render: (trade) => (
      <AssetLink symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Times trade={trade} />} />
    ),
    csv: (trade) => trade.symbol,
  },
  { key: 'opened', label: t`Opened, UTC`, csv: (trade) => trade.opened_at },
  { key: 'entry', label: t`Entry price`, csv: (trade) => trade.open_price },
  { key: 'closed', label: t`Closed, UTC`, csv: (trade) => trade.closed_at },
  { key: 'exit', label: t`Exit price`, csv: (trade) => trade.close_price },
  {
    key: 'prices',
    label: t`Entry, exit`,
    align: 'right',
    render: (trade) => (
      <>
        <Price value={trade.open_price} symbol={trade.symbol} />
        <small>
          <Price value={trade.close_price} symbol={trade.symbol} />
        </small>
      </>
    ),
  },
  {
    key: 'amount',
    label: t`Amount`,
    align: 'right',
    render: (trade) => <Money value={trade.amount} decimals={2} />,
    csv: (trade) => trade.amount,
  },
  { key: 'fee', label: t`Trade fee`, csv: (trade) => trade.fee },
  { key: 'gross', label: t`Gross`, csv: (trade) => trade.gross },
  { key: 'performance', label: t`Performance fee`, csv: (trade) => trade.performance_fee },
  {
    key: 'fees',
    label: t`Fees`,
    align: 'right',
    render: (trade) => <Money value={trade.fee + trade.performance_fee} />,
  },
  {
    key: 'result',
    label: t`P&L`,
    align: 'right',
    render: (trade) => <Pnl value={trade.result} of={trade.amount} />,
    csv: (trade) => trade.result,
  },
  { key: 'bought', label: t`Entry reason`, csv: ({ entry }) => translate(reasonWords(entry.code, entry.facts)) },
  { key: 'sold', label: t`Exit reason`, csv: ({ exit }) => translate(reasonWords(exit.code, exit.facts)) },
  { key: 'why', label: t`Reasons`, render: (trade) => <Why trade={trade} /> },
];

/** All trades with their reasons in words, newest first. */
export function TradePanel({ result }: { result: BacktestResult }) {
  const { trades, trades_total: total } = result;
  const left = total - trades.length;
  const { shown, paging } = usePages(trades, PAGE_SIZE);
  return (
    <Panel
      title={t`Trades`}
      rule
      padded={false}
      control={<CsvButton fileName={`backtest-${result.from}-${result.to}.csv`} columns={columns} rows={trades} />}
      foot={
        left > 0 &&
        t`Showing the latest ${formatCount(trades.length)} of ${formatCount(total)} trades. The figures cover all of them.`
      }
    >
      <DataTable
        label={t`Trades of the backtest`}
        columns={columns}
        rows={shown}
        rowKey={(trade) => `${trade.symbol} ${trade.opened_at}`}
        query={arrived}
        empty={{
          icon: <IconListSearch size={20} stroke={1.5} />,
          title: t`No trades`,
          text: t`The strategy found no entry in this period. The reasons are listed above.`,
        }}
        paging={paging}
        mobileRow={(trade) => (
          <>
            <AssetRow symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Times trade={trade} />}>
              <Pnl value={trade.result} of={trade.amount} />
            </AssetRow>
            <Why trade={trade} />
          </>
        )}
      />
    </Panel>
  );
}

function Times({ trade: { opened_at: from, closed_at: to } }: { trade: BacktestTrade }) {
  const day = from.slice(0, 10) === to.slice(0, 10) ? '' : `${formatDay(to)}, `;
  return <span style={{ whiteSpace: 'nowrap' }}>{`${formatShortDateTime(from)} to ${day}${formatTime(to)} UTC`}</span>;
}

const Why = ({ trade: { entry, exit } }: { trade: BacktestTrade }) => (
  <Text size="xs" c="var(--tw-text-2)">
    <span>{translate(reasonWords(entry.code, entry.facts))}</span>{' '}
    <span>{translate(reasonWords(exit.code, exit.facts))}</span>
  </Text>
);
