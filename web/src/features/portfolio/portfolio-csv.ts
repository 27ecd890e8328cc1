import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { type CsvCell, csvText } from '../../api/csv.ts';
import { winRate } from './sum-assets.ts';

/** One point a session and one for now; unknown is an empty cell. */
export const equityCsv = (equity: Portfolio['equity']): string =>
  csvText(
    ['Time, UTC', 'Net worth', 'Put in, less withdrawn', 'Result', 'Below its highest result', 'If simply held'],
    equity.map(({ time, value, put_in: putIn, drawdown, held }) => [
      time,
      value,
      putIn,
      micros(value - putIn),
      drawdown,
      held,
    ]),
  );

export const daysCsv = (days: Portfolio['realised_by_day']): string =>
  csvText(
    ['Session', 'Trades', 'Up', 'Down', 'Volume', 'Trade fees', 'Performance fees', 'Result'],
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
    ['Asset', 'Trades', 'Up', 'Down', 'Win rate, %', 'Volume', 'Trade fees', 'Performance fees', 'Result'],
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

const tradeColumns: readonly (readonly [head: string, cell: (trade: Trade) => CsvCell])[] = [
  ['Trade', (trade) => trade.id],
  ['Asset', (trade) => trade.symbol],
  ['Wallet', (trade) => trade.wallet_type],
  ['Plan', (trade) => trade.plan_id],
  ['State', (trade) => trade.state],
  ['Placed, real time UTC', (trade) => trade.placed_at],
  ['Opened, market time UTC', (trade) => trade.opened_at],
  ['Closed, market time UTC', (trade) => trade.closed_at],
  ['Closed by', (trade) => trade.close_reason],
  ['Cancelled by', (trade) => trade.cancel_reason],
  ['Amount', (trade) => trade.amount],
  ['Trade fee', (trade) => trade.fee],
  ['Open price', (trade) => trade.open_price],
  ['Close price', (trade) => trade.close_price],
  ['Gross', (trade) => trade.gross],
  ['Performance fee', (trade) => trade.performance_fee],
  ['Result', (trade) => trade.result],
  ['Result if sold now', (trade) => trade.live?.result ?? null],
  ['Stop-loss, %', (trade) => trade.stops.stop_loss],
  ['Take-profit, %', (trade) => trade.stops.take_profit],
  ['Trailing stop, %', (trade) => trade.stops.trailing_stop],
];

/** Trades of every state, as they come: newest first. */
export const tradesCsv = (trades: readonly Trade[]): string =>
  csvText(
    tradeColumns.map(([head]) => head),
    trades.map((trade) => tradeColumns.map(([, cell]) => cell(trade))),
  );

/** Takes off what binary fractions add to a difference of amounts with 6 decimals. */
const micros = (dollars: number): number => Number(dollars.toFixed(6));
