import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { incomeKinds } from '../income.ts';
import { publishedHeads } from './heads.ts';
import { ownLeaf } from './proof.ts';

const paid = z.strictObject({ kind: z.enum(incomeKinds), amount: money });

/**
 * Proof of funded incomes (docs/product.md, section 1): what came in on one side, what was paid on the other, by market
 * days.
 */
export const fundedPeriod = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  trade_fees: money,
  performance_fees: money,
  /** What of the fees the execution of sessions took before every share. */
  execution_cost: money,
  /** Results of trades before fees: gains and losses as they were realised. */
  gains: money,
  losses: money,
  /** Incomes paid from fees and pools. */
  incomes: z.array(paid),
  incomes_total: money,
  /** What the pools got, less what they paid. */
  pools_change: signedMoney,
  revenue: money,
});
export type FundedPeriod = z.output<typeof fundedPeriod>;

/** Coins that a gateway holds and that are no dollars. */
export const gatewayCoins = z.strictObject({
  /** `BTC` */
  asset: z.string(),
  /** Decimal text. */
  units: z.string(),
  /** Dollars that the ledger has for them: their value when they were last valued, and what moved since. */
  value: signedMoney,
  valued_at: instant.nullable(),
  /** Whether that was at most two hours ago. */
  valued: z.boolean(),
});
export type GatewayCoins = z.output<typeof gatewayCoins>;

export const solvency = {
  getSolvency: endpoint({
    method: 'GET',
    path: '/solvency',
    access: 'member',
    summary:
      'Get assets, liabilities, surplus, funding of incomes, residuals and your balances in the latest proof of liabilities',
    data: z.strictObject({
      /** Paper mode: no real money is held. */
      simulated: z.boolean(),
      at: instant,
      market_time: instant,
      /** `reported` by those who hold them; null in paper mode, and while one of them is not known. */
      assets: z.strictObject({
        booked: money,
        gateway: signedMoney,
        venue: signedMoney,
        reported: signedMoney.nullable(),
      }),
      /** What gateways report less what the ledger has at them; null in paper mode, and while it is not known. */
      gateway_deviation: signedMoney.nullable(),
      /** Part of what is booked at the gateway; empty in paper mode. */
      gateway_coins: z.array(gatewayCoins),
      liabilities: money,
      surplus: signedMoney,
      /** Each account of the house, and the members' by class. `owed` are liabilities beside the members'. */
      accounts: z.array(
        z.strictObject({
          name: z.string(),
          group: z.enum(['asset', 'member', 'owed', 'surplus']),
          amount: signedMoney,
        }),
      ),
      /** Open positions that no order at the exchange stands behind, at the marks: together, and of each asset. Null without a mark. */
      exposure: z.strictObject({
        value: money.nullable(),
        assets: z.array(z.strictObject({ symbol: z.string(), quantity: z.string(), value: money.nullable() })),
      }),
      /** What weeks and months come to that are computed and not paid: an alarm holds them. Part of the pools. */
      held: money,
      /** Of the newest snapshot of what members are owed; null before the first. */
      sealed_at: instant.nullable(),
      root: z.string().nullable(),
      /** The own balances in it, with the path to its root, as `GET /solvency/my-leaf`. */
      own: ownLeaf,
      /** The seals that were published last, signed; null before the first. As `GET /solvency/heads`. */
      heads: publishedHeads.nullable(),
      /** Since the first day. */
      lifetime: fundedPeriod.nullable(),
      /** Months, the newest first, at most 13. */
      months: z.array(fundedPeriod),
      /** Sessions, the newest first, at most 31. */
      sessions: z.array(fundedPeriod),
      /** Of all who ever settled a trade, how many have lost in all. */
      members: z.strictObject({ traded: z.number().int(), negative: z.number().int() }),
      /** The last check of the books, and what it looked at. */
      checked: z.strictObject({ session: z.iso.date(), at: instant }).nullable(),
    }),
  }),
};
