import { Box } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { reasonWords } from '#contract/reasons.ts';
import type { BacktestResult, BacktestTrade } from '#contract/trading/backtest.ts';
import { formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { CsvButton } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import classes from './trade-panel.module.css';

const PAGE_SIZE = 20;

/** The rows came with the answer: nothing is on its way, and nothing can fail. */
const arrived: ListQuery = {
  isError: false,
  isFetching: false,
  error: null,
  dataUpdatedAt: 0,
  refetch: () => undefined,
};

/** The file has all figures in full, so that each line can be calculated again. */
export const columns: readonly Column<BacktestTrade>[] = [
  {
    key: 'asset',
    label: 'Asset',
    render: (trade) => (
      <AssetLink symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Times trade={trade} />} />
    ),
    csv: (trade) => trade.symbol,
  },
  { key: 'opened', label: 'Opened, UTC', csv: (trade) => trade.opened_at },
  { key: 'entry', label: 'Entry price', csv: (trade) => trade.open_price },
  { key: 'closed', label: 'Closed, UTC', csv: (trade) => trade.closed_at },
  { key: 'exit', label: 'Exit price', csv: (trade) => trade.close_price },
  {
    key: 'prices',
    label: 'Entry, exit',
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
    label: 'Amount',
    align: 'right',
    render: (trade) => <Money value={trade.amount} decimals={2} />,
    csv: (trade) => trade.amount,
  },
  { key: 'fee', label: 'Trade fee', csv: (trade) => trade.fee },
  { key: 'gross', label: 'Gross', csv: (trade) => trade.gross },
  { key: 'performance', label: 'Performance fee', csv: (trade) => trade.performance_fee },
  {
    key: 'fees',
    label: 'Fees',
    align: 'right',
    render: (trade) => <Money value={trade.fee + trade.performance_fee} />,
  },
  {
    key: 'result',
    label: 'Result',
    align: 'right',
    render: (trade) => <Result trade={trade} />,
    csv: (trade) => trade.result,
  },
  { key: 'bought', label: 'Why bought', csv: ({ entry }) => reasonWords(entry.code, entry.facts) },
  { key: 'sold', label: 'Why sold', csv: ({ exit }) => reasonWords(exit.code, exit.facts) },
  { key: 'why', label: 'Why', render: (trade) => <Why trade={trade} /> },
];

/** All trades with their reasons in words, newest first. */
export function TradePanel({ result }: { result: BacktestResult }) {
  const [skipped, setSkipped] = useState(0);
  const { trades, trades_total: total } = result;
  const left = total - trades.length;
  const rows = trades.slice(skipped, skipped + PAGE_SIZE);
  const isMore = skipped + PAGE_SIZE < trades.length;
  return (
    <Panel
      title="Trades"
      rule
      padded={false}
      control={<CsvButton fileName={`backtest-${result.from}-${result.to}.csv`} columns={columns} rows={trades} />}
      foot={
        left > 0 &&
        `The newest ${trades.length.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} trades; the figures cover all of them.`
      }
    >
      <DataTable
        label="Trades of the backtest"
        columns={columns}
        rows={rows}
        rowKey={(trade) => `${trade.symbol} ${trade.opened_at}`}
        query={arrived}
        empty={{
          icon: <IconListSearch size={20} stroke={1.5} />,
          title: 'No trade',
          text: 'The strategy found nothing to buy in this period. The reasons are above.',
        }}
        paging={
          trades.length > PAGE_SIZE
            ? {
                skipped,
                total: trades.length,
                onNewer: skipped > 0 ? () => setSkipped(skipped - PAGE_SIZE) : undefined,
                onEarlier: isMore ? () => setSkipped(skipped + PAGE_SIZE) : undefined,
              }
            : undefined
        }
        mobileRow={(trade) => (
          <>
            <div className={classes.narrow}>
              <AssetLink symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Times trade={trade} />} />
              <span className={classes.narrowResult}>
                <Result trade={trade} />
              </span>
            </div>
            <Why trade={trade} />
          </>
        )}
      />
    </Panel>
  );
}

function Times({ trade: { opened_at: from, closed_at: to } }: { trade: BacktestTrade }) {
  const day = from.slice(0, 10) === to.slice(0, 10) ? '' : `${formatDay(to)}, `;
  return <span className={classes.times}>{`${formatShortDateTime(from)} to ${day}${formatTime(to)} UTC`}</span>;
}

const Result = ({ trade }: { trade: BacktestTrade }) => (
  <>
    <Box component="b" fw={500}>
      <SignedMoney value={trade.result} />
    </Box>
    <small>
      <Percent value={(trade.result / trade.amount) * 100} signed />
    </small>
  </>
);

const Why = ({ trade: { entry, exit } }: { trade: BacktestTrade }) => (
  <span className={classes.why}>
    <span>{reasonWords(entry.code, entry.facts)}</span> <span>{reasonWords(exit.code, exit.facts)}</span>
  </span>
);
