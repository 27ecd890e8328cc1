import { Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { reasonWords } from '#contract/reasons.ts';
import type { BacktestResult, BacktestTrade } from '#contract/trading/backtest.ts';
import { t, translate } from '../../api/texts.ts';
import { AssetRow, Pnl } from '../../entities/trade/asset-row.tsx';
import { formatCount } from '../../ui/format/number.ts';
import { formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, fileColumn, moneyColumn, rightColumn } from '../../ui/table/columns.tsx';
import { CsvButton } from '../../ui/table/csv-export.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { useKeptState } from '../../ui/table/use-kept-state.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Price } from '../../ui/text/money.tsx';

const PAGE_SIZE = 20;

/** The file has all figures in full precision, so that each line can be recalculated. */
export const columns: readonly Column<BacktestTrade>[] = [
  column(
    t`Asset`,
    (trade) => <AssetLink symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Times trade={trade} />} />,
    { csv: (trade) => trade.symbol },
  ),
  fileColumn(t`Opened, UTC`, (trade) => trade.opened_at),
  fileColumn(t`Entry price`, (trade) => trade.open_price),
  fileColumn(t`Closed, UTC`, (trade) => trade.closed_at),
  fileColumn(t`Exit price`, (trade) => trade.close_price),
  rightColumn(t`Entry, exit`, (trade) => (
    <>
      <Price value={trade.open_price} symbol={trade.symbol} />
      <small>
        <Price value={trade.close_price} symbol={trade.symbol} />
      </small>
    </>
  )),
  moneyColumn(t`Amount`, (trade) => trade.amount, { decimals: 2 }),
  fileColumn(t`Trade fee`, (trade) => trade.fee),
  fileColumn(t`Gross`, (trade) => trade.gross),
  fileColumn(t`Performance fee`, (trade) => trade.performance_fee),
  rightColumn(t`Fees`, (trade) => <Money value={trade.fee + trade.performance_fee} />),
  rightColumn(t`P&L`, (trade) => <Pnl value={trade.result} of={trade.amount} />, { csv: (trade) => trade.result }),
  fileColumn(t`Entry reason`, ({ entry }) => translate(reasonWords(entry.code, entry.facts))),
  fileColumn(t`Exit reason`, ({ exit }) => translate(reasonWords(exit.code, exit.facts))),
  column(t`Reasons`, (trade) => <Why trade={trade} />),
];

/** All trades with their reasons, newest first. */
export function TradePanel({ result, at }: { result: BacktestResult; at: number }) {
  const { trades, trades_total: total } = result;
  const left = total - trades.length;
  const { shown, paging } = usePages(trades, PAGE_SIZE, useKeptState(`trades ${at}`, 0));
  return (
    <TablePanel
      title={t`Trades`}
      control={<CsvButton fileName={`backtest-${result.from}-${result.to}.csv`} columns={columns} rows={trades} />}
      foot={
        left > 0 &&
        t`Showing the latest ${formatCount(trades.length)} of ${formatCount(total)} trades. The figures cover all of them.`
      }
      label={t`Trades of the backtest`}
      columns={columns}
      rows={shown}
      rowKey={(trade) => `${trade.symbol} ${trade.opened_at}`}
      query={arrived}
      empty={{
        icon: IconListSearch,
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
