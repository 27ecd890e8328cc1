import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { incomeKinds } from '../income.ts';
import { publishedHeads } from './heads.ts';
import { ownLeaf } from './proof.ts';

const paid = z.strictObject({ kind: z.enum(incomeKinds), amount: money });

/**
 * Proof of funded incomes (docs/product.md, section 1): sources on one side, payments on the other, by market day.
 */
export const fundedPeriod = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  trade_fees: money,
  performance_fees: money,
  /** Execution cost of the sessions, deducted from the fees before any share. */
  execution_cost: money,
  /** Trading results before fees: realised gains and losses. */
  gains: money,
  losses: money,
  /** Incomes paid from fees and pools. */
  incomes: z.array(paid),
  incomes_total: money,
  /** Paid into the pools less paid out of them. */
  pools_change: signedMoney,
  revenue: money,
});
export type FundedPeriod = z.output<typeof fundedPeriod>;

/** Coins other than dollars held by a gateway. */
export const gatewayCoins = z.strictObject({
  /** `BTC` */
  asset: z.string(),
  /** Decimal text. */
  units: z.string(),
  /** Their book value in dollars: the last valuation plus later movements. */
  value: signedMoney,
  valued_at: instant.nullable(),
  /** Whether the last valuation is at most two hours old. */
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
      /** `reported` by the custodians; null in paper mode, and while one of them is unknown. */
      assets: z.strictObject({
        booked: money,
        gateway: signedMoney,
        venue: signedMoney,
        reported: signedMoney.nullable(),
      }),
      /** Reported by gateways less booked at them; null in paper mode, and while unknown. */
      gateway_deviation: signedMoney.nullable(),
      /** Included in the amount booked at the gateway; empty in paper mode. */
      gateway_coins: z.array(gatewayCoins),
      liabilities: money,
      surplus: signedMoney,
      /** Each house account, and the members' by class. `owed`: liabilities other than those to members. */
      accounts: z.array(
        z.strictObject({
          name: z.string(),
          group: z.enum(['asset', 'member', 'owed', 'surplus']),
          amount: signedMoney,
        }),
      ),
      /** The residuals' total at the marks. Null without a mark. */
      exposure: money.nullable(),
      /** What the exchange holds beyond members' positions, or lacks, by asset. `value` is null without a mark. */
      residuals: z.array(z.strictObject({ symbol: z.string(), quantity: z.string(), value: money.nullable() })),
      /** Weekly and monthly incomes computed but not paid because an alarm holds them. Part of the pools. */
      held: money,
      /** Time of the latest proof of liabilities; null before the first. */
      sealed_at: instant.nullable(),
      root: z.string().nullable(),
      /** The member's own balances in it, with the path to its root, as in `GET /solvency/my-leaf`. */
      own: ownLeaf,
      /** The signed seals published last, as in `GET /solvency/heads`; null before the first. */
      heads: publishedHeads.nullable(),
      /** Since the first day. */
      lifetime: fundedPeriod.nullable(),
      /** By month, newest first. */
      months: z.array(fundedPeriod),
      /** By session, newest first, at most 31. */
      sessions: z.array(fundedPeriod),
      /** Members with a settled trade as of the last settled session, and how many of them have a negative result. */
      members: z.strictObject({ traded: z.number().int(), negative: z.number().int() }),
      /** The last reconciliation, and the session it covered. */
      checked: z.strictObject({ session: z.iso.date(), at: instant }).nullable(),
    }),
  }),
};
