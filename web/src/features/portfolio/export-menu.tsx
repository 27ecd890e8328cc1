import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { trading } from '#contract/endpoints.ts';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { call } from '../../api/call.ts';
import { type CsvCell, collectPages, csvText, saveCsv } from '../../api/csv.ts';
import { plural, t } from '../../api/texts.ts';
import { useFile } from '../../ui/forms/file-button.tsx';
import { usdHead } from '../../ui/table/columns.tsx';
import { CsvMenu } from '../../ui/table/csv-export.tsx';
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
      <Button variant="default" disabled leftSection={<IconDownload size={16} stroke={1.5} />}>
        {plural(count, { one: '# trade', other: '# trades' })}
      </Button>
    );
  }
  const files = portfolio && [
    { label: t`Equity, net deposits, drawdown`, save: () => saveCsv('equity.csv', equityCsv(portfolio.equity)) },
    { label: t`Realised P&L by session`, save: () => saveCsv('sessions.csv', daysCsv(portfolio.realised_by_day)) },
    { label: t`By asset`, save: () => saveCsv('assets.csv', assetsCsv(portfolio.by_asset)) },
    { label: t`All trades`, save },
  ];
  return <CsvMenu files={files} />;
}

/** All trades of the member. */
export const collectTrades = (signal: AbortSignal, onCount: (count: number) => void): Promise<Trade[]> =>
  collectPages<Trade>((query) => call(trading.listTrades, { query, signal }), onCount);

/** One point per session and one for now; unknown is an empty cell. */
export const equityCsv = (equity: Portfolio['equity']): string =>
  csvText(
    [
      t`Time, UTC`,
      usdHead(t`Net worth`),
      usdHead(t`Net deposits`),
      usdHead(t`P&L`),
      usdHead(t`Drawdown`),
      usdHead(t`Buy and hold`),
    ],
    equity.map(({ time, value, put_in: netDeposits, drawdown, held }) => [
      time,
      value,
      netDeposits,
      micros(value - netDeposits),
      drawdown,
      held,
    ]),
  );

export const daysCsv = (days: Portfolio['realised_by_day']): string =>
  csvText(
    [
      t`Session`,
      t`Trades`,
      t`Winning trades`,
      t`Losing trades`,
      usdHead(t`Volume`),
      usdHead(t`Trade fees`),
      usdHead(t`Performance fees`),
      usdHead(t`P&L`),
    ],
    days.map((day) => [
      day.day,
      day.trades,
      day.winning,
      day.losing,
      day.volume,
      day.trade_fees,
      day.performance_fees,
      day.result,
    ]),
  );

export const assetsCsv = (assets: Portfolio['by_asset']): string =>
  csvText(
    [
      t`Asset`,
      t`Trades`,
      t`Winning trades`,
      t`Losing trades`,
      t`Win rate, %`,
      usdHead(t`Volume`),
      usdHead(t`Trade fees`),
      usdHead(t`Performance fees`),
      usdHead(t`P&L`),
    ],
    assets.map((row) => [
      row.symbol,
      row.trades,
      row.winning,
      row.losing,
      winRate(row),
      row.volume,
      row.trade_fees,
      row.performance_fees,
      row.result,
    ]),
  );

type TradeColumn = readonly [head: string, cell: (trade: Trade) => CsvCell];

/** How an exchange filled a side, in dollars per coin; empty in paper mode, which has no fills. */
const executionColumns = (
  side: 'execution' | 'close_execution',
  heads: readonly [string, string, string],
): TradeColumn[] =>
  (['fill_price', 'exchange_fee', 'markup'] as const).map((part, index) => [
    heads[index] as string,
    (trade) => trade[side]?.[part] ?? null,
  ]);

const tradeColumns: readonly TradeColumn[] = [
  [t`Trade`, (trade) => trade.id],
  [t`Asset`, (trade) => trade.symbol],
  [t`Wallet`, (trade) => trade.wallet_type],
  [t`Plan`, (trade) => trade.plan_id],
  [t`State`, (trade) => trade.state],
  [t`Placed, real time UTC`, (trade) => trade.placed_at],
  [t`Opened, market time UTC`, (trade) => trade.opened_at],
  [t`Closed, market time UTC`, (trade) => trade.closed_at],
  [t`Closed by`, (trade) => trade.close_reason],
  [t`Cancelled by`, (trade) => trade.cancel_reason],
  [usdHead(t`Amount`), (trade) => trade.amount],
  [usdHead(t`Trade fee`), (trade) => trade.fee],
  [usdHead(t`Entry price`), (trade) => trade.open_price],
  [usdHead(t`Exit price`), (trade) => trade.close_price],
  [usdHead(t`Gross`), (trade) => trade.gross],
  [usdHead(t`Performance fee`), (trade) => trade.performance_fee],
  [usdHead(t`P&L`), (trade) => trade.result],
  [usdHead(t`Unrealised P&L`), (trade) => trade.live?.result ?? null],
  [t`Stop-loss, %`, (trade) => trade.stops.stop_loss],
  [t`Take-profit, %`, (trade) => trade.stops.take_profit],
  [t`Trailing stop, %`, (trade) => trade.stops.trailing_stop],
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
export const tradesCsv = (trades: readonly Trade[]): string =>
  csvText(
    tradeColumns.map(([head]) => head),
    trades.map((trade) => tradeColumns.map(([, cell]) => cell(trade))),
  );

/** Removes the binary rounding error from a difference of amounts with 6 decimals. */
const micros = (dollars: number): number => Number(dollars.toFixed(6));
