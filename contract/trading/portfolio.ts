import { z } from 'zod';
import { instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { plan } from './plan.ts';
import { trade } from './trade.ts';

/** Lifetime sums and current holdings of an account; the portfolio and `wallet-summary` return the same figures. */
export const walletSummary = z.strictObject({
  /** Deposits through the gateway, and withdrawals through it including fees. */
  deposited: money,
  withdrawn: money,
  /** Placed amounts of queued and open trades, those of plans included. */
  in_trades: money,
  /** Held by plans that have no trade at the moment. */
  invested: money,
  on_hold: money,
  /** Settled trades: amounts, and results after all fees. */
  traded_volume: money,
  realised: signedMoney,
  /** Trade fees of all opened trades and performance fees of all settled ones. */
  fees_paid: money,
  /** Team incomes and rewards, without trading results. */
  income: money,
  /** Everything, with open positions at the proceeds of selling them now. */
  net_worth: money,
});
export type WalletSummary = z.output<typeof walletSummary>;

/** The distance between the mark and a stop's trigger. */
const stopDistance = z.strictObject({
  /** The mark that triggers it. */
  price: z.number(),
  /** The move needed, in percent of the current mark: −2 for a stop-loss 2 % below it. */
  percent: z.number(),
  /** The trade's result if sold at that mark. */
  result: signedMoney,
  /** That result less the current result. */
  dollars: signedMoney,
});
export type StopDistance = z.output<typeof stopDistance>;

/** An open trade with the distance to each stop; null without that stop or without a price. */
export const position = trade.extend({
  distances: z.strictObject({
    stop_loss: stopDistance.nullable(),
    take_profit: stopDistance.nullable(),
    trailing_stop: stopDistance.nullable(),
  }),
});
export type Position = z.output<typeof position>;

/**
 * Allocation of the net worth. `wallet`: a wallet. `queued`: trades not yet opened. `plan`: held by plans without a
 * trade. `hold`: pending withdrawals. `asset`: open positions in one asset, those of plans included.
 */
export const allocationKinds = ['wallet', 'queued', 'plan', 'hold', 'asset'] as const;
const allocated = z.strictObject({
  kind: z.enum(allocationKinds),
  label: z.string(),
  symbol: z.string().nullable(),
  /** For an asset: open trades, the member's own and those of plans. */
  trades: z.number().int(),
  plans: z.number().int(),
  value: money,
  /** 0 to 1. */
  share: z.number(),
});

const equityPoint = z.strictObject({
  time: instant,
  value: money,
  /** Net deposits at that time: deposits less withdrawals. */
  put_in: signedMoney,
  /** Value of the buy-and-hold benchmark (docs/trading.md, "Buy and hold"); null before prices exist. */
  held: signedMoney.nullable(),
  /** How far the result (value less net deposits) is below its previous high. */
  drawdown: money,
});

/** Drawdown of the result from its high; deposits and withdrawals have no effect (docs/trading.md, "Drawdown"). */
const drawdown = z.strictObject({
  now: z.strictObject({ amount: money, percent: z.number() }),
  /** Maximum drawdown, by amount and by percent; `at` is null if there was none. */
  deepest_amount: z.strictObject({ amount: money, at: instant.nullable() }),
  deepest_percent: z.strictObject({ percent: z.number(), at: instant.nullable() }),
});

const portfolioPlan = plan
  .pick({
    id: true,
    symbol: true,
    strategy: true,
    state: true,
    state_reason: true,
    compounding: true,
    amount: true,
    value: true,
    trade_id: true,
  })
  .extend({ /** Of all its settled trades, after fees. */ result: signedMoney });
export type PortfolioPlan = z.output<typeof portfolioPlan>;

const feesSplit = { trade_fees: money, performance_fees: money };

/** Settled trades of one day or one asset. */
const settled = z.strictObject({
  trades: z.number().int(),
  winning: z.number().int(),
  losing: z.number().int(),
  volume: money,
  result: signedMoney,
  ...feesSplit,
});
const assetResult = settled.extend({ symbol: z.string() });
export type AssetResult = z.output<typeof assetResult>;

export const portfolio = z.strictObject({
  net_worth: money,
  summary: walletSummary,
  /** Components of the result (net worth less net deposits): they add up to it. */
  result: z.strictObject({
    total: signedMoney,
    realised: signedMoney,
    /** Unrealised result of open trades if sold now, trade fees included. */
    open: signedMoney,
    income: signedMoney,
    /** Corrections by operators. */
    corrections: signedMoney,
  }),
  /** The newest 100 open trades; `totals.open` is the full count. */
  positions: z.array(position),
  /** The newest 100 plans that are not redeemed. */
  plans: z.array(portfolioPlan),
  /** Total value of all plans that are not redeemed. */
  in_plans: money,
  allocation: z.array(allocated),
  /** One point per session for the last 366, and one for now. */
  equity: z.array(equityPoint),
  drawdown,
  /** The last 366 sessions in which a trade of the member settled. */
  realised_by_day: z.array(settled.extend({ day: z.iso.date() })),
  by_asset: z.array(assetResult),
  totals: z.strictObject({
    realised: signedMoney,
    fees_paid: money,
    ...feesSplit,
    trades: z.number().int(),
    open: z.number().int(),
    best: trade.nullable(),
    worst: trade.nullable(),
    winning: z.number().int(),
    losing: z.number().int(),
    /** Of members with a settled trade, the share with a negative result, as of the last settled session; null without any. */
    negative_members: z.number().nullable(),
  }),
});
export type Portfolio = z.output<typeof portfolio>;
