import { z } from 'zod';
import { endpoint, instant, operatorRoles } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { payoutNeeds } from '../funds/review.ts';
import { feed } from '../market.ts';
import { session } from '../trading/trading.ts';
import { integrityState } from './integrity.ts';
import { jobHealth } from './jobs.ts';

/** What waits for somebody: how much of it there is, what it comes to, and since when the oldest waits. */
const waiting = z.strictObject({ count: z.number().int(), amount: money, oldest_at: instant.nullable() });
const counted = z.strictObject({ count: z.number().int(), oldest_at: instant.nullable() });

/** States of a withdrawal in which somebody or something has to act. */
export const waitingWithdrawalStates = ['requested', 'approved', 'sent', 'uncertain'] as const;

export const overview = z.strictObject({
  /** Paper mode: no real money is held. */
  simulated: z.boolean(),
  at: instant,
  market_time: instant,
  assets: z.strictObject({
    booked: signedMoney,
    gateway: signedMoney,
    venue: signedMoney,
    /** The lower of what the books say and of what gateway and exchange report. */
    counted: signedMoney,
  }),
  liabilities: money,
  surplus: signedMoney,
  /** What counts as held, the lower of booked and reported, divided by liabilities: 1.0255 is 102.55 %; null while nothing is owed. */
  coverage: z.number().nullable(),
  /** Flows of this market day, reversals taken off. */
  today: z.strictObject({
    day: z.iso.date(),
    deposits: money,
    /** Net amounts that were paid out. */
    withdrawals: money,
    trade_fees: money,
    performance_fees: money,
    withdrawal_fees: money,
    /** Team incomes, weekly, monthly and rewards. */
    incomes: money,
  }),
  queues: z.strictObject({
    /** One for each of these states, in their order; `amount` is what leaves when they are paid. */
    withdrawals: z.array(waiting.extend({ state: z.enum(waitingWithdrawalStates) })),
    /** Requested ones that two operators have to approve, and how many of them have their first approval. */
    two_person: z.strictObject({ count: z.number().int(), first_approved: z.number().int() }),
    /** `amount` is what is held of them. */
    deposits_in_review: waiting,
    tickets: counted.extend({ unassigned: z.number().int() }),
    rewards: waiting,
    /** `capped`: not sent, because their address had its emails of that kind for the day. */
    mails: counted.extend({ failed: z.number().int(), capped: z.number().int() }),
    /** What waits for a second operator. */
    proposals: z.strictObject({
      adjustments: z.number().int(),
      treasury_moves: z.number().int(),
      fee_plans: z.number().int(),
      loosenings: z.number().int(),
      /** Requests without a proposal, and proposals without an approval. */
      email_changes: z.number().int(),
      announcements: z.number().int(),
      reserves: z.number().int(),
      venue_fills: z.number().int(),
      asset_limits: z.number().int(),
      statement_lines: z.number().int(),
    }),
    /** Entries of the exchange’s statement that neither match nor are settled. */
    statement: counted,
    /** The same of payment gateways’ statements. */
    gateway_statement: counted,
  }),
  feed,
  session,
  venue: z.strictObject({
    kind: z.enum(['paper', 'ccxt']),
    /** The paper venue is always up. */
    state: z.enum(['up', 'down']),
    since: instant.nullable(),
    /** In the exchange's words. */
    reason: z.string().nullable(),
    /** What orders can use there beside what queued trades need, less fees; null on paper. */
    funds: z
      .strictObject({
        /** Null before the exchange told it. */
        free: money.nullable(),
        free_at: instant.nullable(),
        queued: money,
        /** Whether it does not suffice; null from the close until an hour before the next opening. */
        short: z.boolean().nullable(),
      })
      .nullable(),
    /** Assets in which nothing is ordered: the exchange's words, and since when. */
    halted: z.array(z.strictObject({ symbol: z.string(), reason: z.string(), since: instant })),
    /** Coins, signed, that the exchange holds beyond those of members; `value` at the mark, without sign, null without a mark. */
    residuals: z.array(z.strictObject({ symbol: z.string(), quantity: z.string(), value: money.nullable() })),
    /** Orders that it refused since an asset was first traded there. */
    refused: z.array(z.strictObject({ symbol: z.string(), count: z.number().int() })),
  }),
  payouts: z.strictObject({
    stopped: z.boolean(),
    at: instant.nullable(),
    why: z.string().nullable(),
    needs: payoutNeeds.nullable(),
  }),
  /** Every loop and queue of the workers; empty until a worker ran. */
  jobs: z.array(jobHealth),
  integrity: integrityState,
  /** The last base backup of the database; `overdue` after 25 hours, and in live mode before the first. */
  backup: z.strictObject({ at: instant.nullable(), overdue: z.boolean() }),
});
export type Overview = z.output<typeof overview>;

export const consoleOverview = {
  getOverview: endpoint({
    method: 'GET',
    path: '/operator/overview',
    access: operatorRoles,
    summary: 'Get the overview: assets, liabilities, today’s flows, queues and system health',
    data: overview,
    refusals: ['not_ready'],
    reserved: true,
  }),
};
