import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { trading } from '#contract/endpoints.ts';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { call } from '../../api/call.ts';
import { collectPages, saveCsv } from '../../api/csv.ts';
import { plural, t } from '../../api/texts.ts';
import { sumDollars } from '../../ui/format/number.ts';
import { useFile } from '../../ui/forms/file-button.tsx';
import { fileColumn, usdHead } from '../../ui/table/columns.tsx';
import { CsvMenu, csvOf } from '../../ui/table/csv-export.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { winRate } from './sum-assets.ts';

/** All tables of the page, one file each. */
export function ExportMenu({ portfolio }: { portfolio: Portfolio | undefined }) {
  const [count, setCount] = useState(0);
  const { isBusy, save } = useFile(async (signal) => {
    setCount(0);
    saveCsv('trades.csv', tradesCsv(await collectTrades(signal, setCount)));
  });
  if (isBusy) {
    return (
      <Button variant="default" disabled leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}>
        {plural(count, { one: '# trade', other: '# trades' })}
      </Button>
    );
  }
  const files = portfolio && [
    { label: t`Equity, last 366 sessions`, save: () => saveCsv('equity.csv', equityCsv(portfolio.equity)) },
    {
      label: t`Realised P&L, last 366 sessions`,
      save: () => saveCsv('sessions.csv', daysCsv(portfolio.realised_by_day)),
    },
    { label: t`By asset`, save: () => saveCsv('assets.csv', assetsCsv(portfolio.by_asset)) },
    { label: t`All trades`, save },
  ];
  return <CsvMenu files={files} />;
}

/** All trades of the member. */
export const collectTrades = (signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> =>
  collectPages<Trade>((query) => call(trading.listTrades, { query, signal }), onCount);

/** One point per session and one for now; unknown is an empty cell. */
export const equityCsv = (equity: Portfolio['equity']): string => csvOf(equityColumns, equity);

const equityColumns: readonly Column<Portfolio['equity'][number]>[] = [
  fileColumn(t`Time, UTC`, (point) => point.time),
  fileColumn(usdHead(t`Net worth`), (point) => point.value),
  fileColumn(usdHead(t`Net deposits`), (point) => point.put_in),
  fileColumn(usdHead(t`P&L`), (point) => sumDollars([point.value, -point.put_in])),
  fileColumn(usdHead(t`Drawdown`), (point) => point.drawdown),
  fileColumn(usdHead(t`Buy and hold`), (point) => point.held),
];

type Day = Portfolio['realised_by_day'][number];
type Sums = Omit<Day, 'day'>;

const countColumns: readonly Column<Sums>[] = [
  fileColumn(t`Trades`, (sums) => sums.trades),
  fileColumn(t`Winning trades`, (sums) => sums.winning),
  fileColumn(t`Losing trades`, (sums) => sums.losing),
];

const sumColumns: readonly Column<Sums>[] = [
  fileColumn(usdHead(t`Volume`), (sums) => sums.volume),
  fileColumn(usdHead(t`Trade fees`), (sums) => sums.trade_fees),
  fileColumn(usdHead(t`Performance fees`), (sums) => sums.performance_fees),
  fileColumn(usdHead(t`P&L`), (sums) => sums.result),
];

export const daysCsv = (days: readonly Day[]): string =>
  csvOf<Day>([fileColumn(t`Session`, (row) => row.day), ...countColumns, ...sumColumns], days);

type Asset = Portfolio['by_asset'][number];

export const assetsCsv = (assets: readonly Asset[]): string =>
  csvOf<Asset>(
    [fileColumn(t`Asset`, (row) => row.symbol), ...countColumns, fileColumn(t`Win rate, %`, winRate), ...sumColumns],
    assets,
  );

/** How an exchange filled a side, in dollars per coin; empty in paper mode, which has no fills. */
const executionColumns = (
  side: 'execution' | 'close_execution',
  heads: readonly [string, string, string],
): Column<Trade>[] =>
  (['fill_price', 'exchange_fee', 'markup'] as const).map((part, index) =>
    fileColumn(heads[index] as string, (trade) => trade[side]?.[part] ?? null),
  );

const tradeColumns: readonly Column<Trade>[] = [
  fileColumn(t`Trade`, (trade) => trade.id),
  fileColumn(t`Asset`, (trade) => trade.symbol),
  fileColumn(t`Wallet`, (trade) => trade.wallet_type),
  fileColumn(t`Plan`, (trade) => trade.plan_id),
  fileColumn(t`State`, (trade) => trade.state),
  fileColumn(t`Placed, real time UTC`, (trade) => trade.placed_at),
  fileColumn(t`Opened, market time UTC`, (trade) => trade.opened_at),
  fileColumn(t`Closed, market time UTC`, (trade) => trade.closed_at),
  fileColumn(t`Closed by`, (trade) => trade.close_reason),
  fileColumn(t`Cancelled by`, (trade) => trade.cancel_reason),
  fileColumn(usdHead(t`Amount`), (trade) => trade.amount),
  fileColumn(usdHead(t`Trade fee`), (trade) => trade.fee),
  fileColumn(usdHead(t`Entry price`), (trade) => trade.open_price),
  fileColumn(usdHead(t`Exit price`), (trade) => trade.close_price),
  fileColumn(usdHead(t`Gross`), (trade) => trade.gross),
  fileColumn(usdHead(t`Performance fee`), (trade) => trade.performance_fee),
  fileColumn(usdHead(t`P&L`), (trade) => trade.result),
  fileColumn(usdHead(t`Unrealised P&L`), (trade) => trade.live?.result ?? null),
  fileColumn(t`Stop-loss, %`, (trade) => trade.stops.stop_loss),
  fileColumn(t`Take-profit, %`, (trade) => trade.stops.take_profit),
  fileColumn(t`Trailing stop, %`, (trade) => trade.stops.trailing_stop),
  ...executionColumns('execution', [
    usdHead(t`Opening: exchange fill`),
    usdHead(t`Opening: exchange fee`),
    usdHead(t`Opening: markup`),
  ]),
  ...executionColumns('close_execution', [
    usdHead(t`Closing: exchange fill`),
    usdHead(t`Closing: exchange fee`),
    usdHead(t`Closing: markup`),
  ]),
];

/** Trades of every state, in the server's order: newest first. */
export const tradesCsv = (trades: readonly Trade[]): string => csvOf(tradeColumns, trades);
