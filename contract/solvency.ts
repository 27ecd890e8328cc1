import { z } from 'zod';
import { endpoint, instant } from './endpoint.ts';
import { incomeKinds } from './income.ts';
import { money, signedMoney } from './money.ts';

const paid = z.strictObject({ kind: z.enum(incomeKinds), amount: money });

/** Proof of funded incomes (product.md section 1): what came in on one side, what was paid on the other, by market days. */
export const fundedPeriod = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  trade_fees: money,
  performance_fees: money,
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

export const solvency = {
  getSolvency: endpoint({
    method: 'GET',
    path: '/solvency',
    access: 'member',
    summary: 'Assets, liabilities, surplus, and where every income came from, out of the ledger alone',
    data: z.strictObject({
      /** Paper mode: no real money is held. */
      simulated: z.boolean(),
      at: instant,
      market_time: instant,
      assets: z.strictObject({ booked: money, gateway: signedMoney, venue: signedMoney }),
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
    refusals: [],
  }),
};
