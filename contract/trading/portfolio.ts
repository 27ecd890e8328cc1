import { z } from 'zod';
import { instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { plan } from './plan.ts';
import { trade } from './trade.ts';

/** Sums over the life of an account, and what it holds now; the portfolio and `wallet-summary` carry the same ones. */
export const walletSummary = z.strictObject({
  /** What came in through the gateway, and what left through it with its fees. */
  deposited: money,
  withdrawn: money,
  /** Amounts as placed of trades that are not over, plans' trades included. */
  in_trades: money,
  /** What plans hold while they have no trade. */
  invested: money,
  on_hold: money,
  /** Of settled trades: amounts, and results after all fees. */
  traded_volume: money,
  realised: signedMoney,
  /** Trade fees of all trades that opened, performance fees of all that settled. */
  fees_paid: money,
  /** Team incomes and rewards; results of trades are not among them. */
  income: money,
  /** All of it, open positions at what selling them now would give. */
  net_worth: money,
});
export type WalletSummary = z.output<typeof walletSummary>;

/** How far the mark is from where a stop is crossed. */
const stopDistance = z.strictObject({
  /** The mark at which it is crossed. */
  price: z.number(),
  /** What the mark has to move to get there, in percent of the mark now: −2 for a stop-loss 2 % below it. */
  percent: z.number(),
  /** What the trade would come to if it were sold at that mark. */
  result: signedMoney,
  /** That result less the result now. */
  dollars: signedMoney,
});
export type StopDistance = z.output<typeof stopDistance>;

/** An open trade, and what lies between its mark and its stops; null without that stop, or without a price. */
export const position = trade.extend({
  distances: z.strictObject({
    stop_loss: stopDistance.nullable(),
    take_profit: stopDistance.nullable(),
    trailing_stop: stopDistance.nullable(),
  }),
});
export type Position = z.output<typeof position>;

/**
 * Where the net worth is. `wallet`: a wallet. `queued`: trades that wait for their opening. `plan`: what plans hold while
 * they have no trade. `hold`: withdrawals under way. `asset`: open positions in one asset, plans' positions included.
 */
export const allocationKinds = ['wallet', 'queued', 'plan', 'hold', 'asset'] as const;
const allocated = z.strictObject({
  kind: z.enum(allocationKinds),
  label: z.string(),
  symbol: z.string().nullable(),
  /** Of an asset: open trades of the member's own, and of plans. */
  trades: z.number().int(),
  plans: z.number().int(),
  value: money,
  /** 0 to 1. */
  share: z.number(),
});

const equityPoint = z.strictObject({
  time: instant,
  value: money,
  /** Deposits less withdrawals at that time. */
  put_in: signedMoney,
  /** What that money would be worth untraded (docs/trading.md, "Buy and hold"); null before prices exist. */
  held: signedMoney.nullable(),
  /** How far the result, value less put in, is below the highest one before. */
  drawdown: money,
});

/** Falls of the result from its highest point; deposits and withdrawals do not count (docs/trading.md, "Drawdown"). */
const drawdown = z.strictObject({
  now: z.strictObject({ amount: money, percent: z.number() }),
  /** The deepest ever, by amount and by percent; `at` is null while there was none. */
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

/** Settled trades of a day or of an asset. */
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
  /** What the result, net worth less the money put in, is made of: they add up to it. */
  result: z.strictObject({
    total: signedMoney,
    realised: signedMoney,
    /** What open trades would add or take if they were sold now, their trade fees included. */
    open: signedMoney,
    income: signedMoney,
    /** Corrections by operators. */
    corrections: signedMoney,
  }),
  /** The newest 100 open trades; `totals.open` says how many there are. */
  positions: z.array(position),
  /** Plans that are not redeemed, the newest 100. */
  plans: z.array(portfolioPlan),
  /** What all plans that are not redeemed are worth together. */
  in_plans: money,
  allocation: z.array(allocated),
  /** One point a session, of the last 366, and one for now. */
  equity: z.array(equityPoint),
  drawdown,
  /** The last 366 sessions in which trades of the member settled. */
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
    /** Of all members with a settled trade, the share with a negative result; null when nobody has one. */
    negative_members: z.number().nullable(),
  }),
});
export type Portfolio = z.output<typeof portfolio>;
