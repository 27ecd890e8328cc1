import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';
import { money, moneyAmount, signedMoney } from '../fields.ts';
import { symbolParam } from '../market.ts';
import { symbols, walletTypes } from '../rules.ts';
import { stopFields } from './stops.ts';
import {
  foreignParameterMessage,
  hasOnlyOwnParameters,
  reasonCodes,
  reasonFacts,
  strategyNames,
  strategyParams,
} from './strategy.ts';

/**
 * Maximum days and dollars of a backtest, and maximum trades in its reply (the newest); the figures cover all trades.
 * Larger amounts could grow beyond what a JSON number carries exactly.
 */
export const backtestLimits = { days: 400, dollars: 1_000_000, trades: 1000 } as const;

const DAY_MS = 86_400_000;
const daysOf = (period: { from: string; to: string }) => (Date.parse(period.to) - Date.parse(period.from)) / DAY_MS + 1;

/** A backtest's request. Days are UTC session dates, both inclusive; percents as for stops. */
export const backtestOrder = z
  .strictObject({
    strategy: z.enum(strategyNames, 'Choose a strategy.'),
    params: strategyParams.optional(),
    symbols: z
      .array(symbolParam, 'Choose an asset.')
      .min(1, 'Choose an asset.')
      .max(symbols.length, `At most ${symbols.length} assets.`),
    from: z.iso.date('Enter a day.'),
    to: z.iso.date('Enter a day.'),
    /** The total, split equally among the assets. */
    amount: moneyAmount.max(backtestLimits.dollars, 'At most $1,000,000.'),
    /** Determines the minimum amount, as for a plan. */
    wallet_type: z.enum(walletTypes, 'Choose primary or profit.').default('primary'),
    compounding: z.boolean('Choose whether gains stay in.').default(false),
    ...stopFields,
  })
  .refine((order) => hasOnlyOwnParameters(order.strategy, order.params ?? {}), {
    path: ['params'],
    message: foreignParameterMessage,
  })
  .refine((order) => new Set(order.symbols).size === order.symbols.length, {
    path: ['symbols'],
    message: 'Choose each asset once.',
  })
  .refine((order) => daysOf(order) >= 1, { path: ['to'], message: 'The period ends before it begins.' })
  .refine((order) => daysOf(order) <= backtestLimits.days, {
    path: ['to'],
    message: `At most ${backtestLimits.days} days.`,
  });
export type BacktestOrder = z.output<typeof backtestOrder>;
/** As sent by the caller, before defaults. */
export type BacktestOrderInput = z.input<typeof backtestOrder>;

const reason = z.strictObject({ code: z.enum(reasonCodes), facts: reasonFacts });

/** A trade the strategy would have made, under the rules and fees of a real one (docs/product.md, sections 2 and 3). */
export const backtestTrade = z.strictObject({
  symbol: z.string(),
  day: z.iso.date(),
  opened_at: instant,
  open_price: z.number(),
  entry: reason,
  closed_at: instant,
  close_price: z.number(),
  exit: reason,
  amount: money,
  fee: money,
  gross: signedMoney,
  performance_fee: money,
  result: signedMoney,
});
export type BacktestTrade = z.output<typeof backtestTrade>;

/** One point per session, at its close. */
const point = z.strictObject({ time: instant, value: money });
const sessionResult = z.strictObject({ day: z.iso.date(), result: signedMoney });

/** Ratios are in percent. Undefined figures (no trade, no variance) are null. Nothing is annualised. */
export const backtestStats = z.strictObject({
  /** The invested amount: split equally, each part rounded down. */
  put_in: money,
  result: signedMoney,
  /** In percent of the invested amount. */
  result_percent: z.number(),
  /** Result of buy and hold, with one spread and one trade fee. */
  hold_result: signedMoney,
  hold_percent: z.number(),
  /** The largest fall from an earlier equity high, in dollars and in percent of that high; each has its own maximum. */
  max_drawdown: money,
  max_drawdown_percent: z.number(),
  trades: z.number().int(),
  winning: z.number().int(),
  losing: z.number().int(),
  /** Winning trades as a share of all trades. */
  win_rate: z.number().nullable(),
  sessions: z.number().int(),
  winning_sessions: z.number().int(),
  losing_sessions: z.number().int(),
  best_session: sessionResult.nullable(),
  worst_session: sessionResult.nullable(),
  /** Mean session return over its standard deviation, and over its downside deviation; not annualised. */
  sharpe_per_session: z.number().nullable(),
  sortino_per_session: z.number().nullable(),
  trade_fees: money,
  performance_fees: money,
  fees_paid: money,
  /** Time with an open position: minutes summed over all assets, and percent of their session time. */
  exposure_minutes: z.number(),
  exposure_percent: z.number(),
  /** Decisions not to buy, by reason, most frequent first, each with its last instance. */
  waits: z.array(
    z.strictObject({
      code: z.enum(reasonCodes),
      count: z.number().int(),
      last: z.strictObject({ symbol: z.string(), time: instant, facts: reasonFacts }),
    }),
  ),
});
export type BacktestStats = z.output<typeof backtestStats>;

export const backtestResult = z.strictObject({
  /** "Simulated market" or "Replay"; null when past prices are those of a live market. */
  market_label: z.string().nullable(),
  strategy: z.enum(strategyNames),
  /** With the defaults filled in. */
  params: strategyParams,
  /** First and last session with prices. */
  from: z.iso.date(),
  to: z.iso.date(),
  trade_fee_percent: z.number(),
  performance_fee_percent: z.number(),
  equity: z.array(point),
  hold: z.array(point),
  /** Result of each session: the change in equity. */
  sessions: z.array(z.strictObject({ day: z.iso.date(), result: signedMoney, trades: z.number().int() })),
  /** The newest of `trades_total`, newest first. */
  trades: z.array(backtestTrade),
  trades_total: z.number().int(),
  assets: z.array(
    z.strictObject({
      symbol: z.string(),
      spread_percent: z.number(),
      put_in: money,
      result: signedMoney,
      hold_result: signedMoney,
      trades: z.number().int(),
      fees_paid: money,
      /** Sessions in which the asset had no price at all. */
      sessions_without_price: z.number().int(),
    }),
  ),
  stats: backtestStats,
});
export type BacktestResult = z.output<typeof backtestResult>;

export const backtest = {
  runBacktest: endpoint({
    method: 'POST',
    path: '/trading/backtest',
    access: 'member',
    summary: 'Backtest a strategy on past prices, including fees and spread; moves no money',
    body: backtestOrder,
    data: backtestResult,
    refusals: ['asset_not_found', 'backtest_no_prices', 'backtest_under_minimum', 'backtest_running'],
  }),
};
