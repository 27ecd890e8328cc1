import { reasonWords } from '#contract/reasons.ts';
import type { BacktestTrade } from '#contract/trading/backtest.ts';
import type { CsvCell } from '../../api/csv.ts';

export const csvHead = [
  'Asset',
  'Opened, UTC',
  'Entry price',
  'Closed, UTC',
  'Exit price',
  'Amount',
  'Trade fee',
  'Gross',
  'Performance fee',
  'Result',
  'Why bought',
  'Why sold',
] as const;

/** Figures in full, so that each line can be calculated again. */
export const csvRows = (trades: readonly BacktestTrade[]): CsvCell[][] =>
  trades.map((trade) => [
    trade.symbol,
    trade.opened_at,
    trade.open_price,
    trade.closed_at,
    trade.close_price,
    trade.amount,
    trade.fee,
    trade.gross,
    trade.performance_fee,
    trade.result,
    reasonWords(trade.entry.code, trade.entry.facts),
    reasonWords(trade.exit.code, trade.exit.facts),
  ]);
