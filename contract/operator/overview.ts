import { z } from 'zod';
import { endpoint, instant, operatorRoles } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { payoutNeeds } from '../funds/review.ts';
import { feed } from '../market.ts';
import { session } from '../trading/trading.ts';
import { integrityState } from './integrity.ts';
import { jobHealth } from './jobs.ts';

/** A queue: number of items, their total, and since when the oldest waits. */
const waiting = z.strictObject({ count: z.number().int(), amount: money, oldest_at: instant.nullable() });
const counted = z.strictObject({ count: z.number().int(), oldest_at: instant.nullable() });

/** States of a withdrawal in which an operator or the system must act. */
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
    /** The lower of the amount booked and the amount reported by gateway and exchange. */
    counted: signedMoney,
  }),
  liabilities: money,
  surplus: signedMoney,
  /** `counted` (the lower of booked and reported) ÷ liabilities: 1.0255 is 102.55 %; null while nothing is owed. */
  coverage: z.number().nullable(),
  /** Flows of this market day, net of reversals. */
  today: z.strictObject({
    day: z.iso.date(),
    deposits: money,
    /** Net amounts paid out. */
    withdrawals: money,
    trade_fees: money,
    performance_fees: money,
    withdrawal_fees: money,
    /** Team, weekly and monthly incomes, and rewards. */
    incomes: money,
  }),
  queues: z.strictObject({
    /** One per state above, in that order; `amount` is what leaves when they are paid. */
    withdrawals: z.array(waiting.extend({ state: z.enum(waitingWithdrawalStates) })),
    /** Requested withdrawals that need two approvals, and how many of them have the first. */
    two_person: z.strictObject({ count: z.number().int(), first_approved: z.number().int() }),
    /** `amount` is the amount held. */
    deposits_in_review: waiting,
    tickets: counted.extend({ unassigned: z.number().int() }),
    rewards: waiting,
    /** `capped`: not sent, because the address has reached the day's limit for that kind of email. */
    emails: counted.extend({ failed: z.number().int(), capped: z.number().int() }),
    /** Proposals awaiting a second operator. */
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
    /** Discrepancies with the exchange’s statement, neither matched nor settled. */
    statement: counted,
    /** The same for payment gateways’ statements. */
    gateway_statement: counted,
  }),
  feed,
  session,
  venue: z.strictObject({
    kind: z.enum(['paper', 'ccxt']),
    /** The paper venue is always up. */
    state: z.enum(['up', 'down']),
    since: instant.nullable(),
    /** The exchange's own text. */
    reason: z.string().nullable(),
    /** Funds available to orders there, and what queued trades need, less fees; null on paper. */
    funds: z
      .strictObject({
        /** Null until the exchange has reported it. */
        free: signedMoney.nullable(),
        free_at: instant.nullable(),
        queued: money,
        /** Whether they are insufficient; null from the close until an hour before the next opening. */
        short: z.boolean().nullable(),
      })
      .nullable(),
    /** Assets in which no orders are placed: the exchange's reason, and since when. */
    halted: z.array(z.strictObject({ symbol: z.string(), reason: z.string(), since: instant })),
    /** Coins at the exchange beyond members' positions, signed; `value` at the mark, unsigned, null without a mark. */
    residuals: z.array(z.strictObject({ symbol: z.string(), quantity: z.string(), value: money.nullable() })),
    /** Orders rejected by the exchange since an asset was first traded there. */
    refused: z.array(z.strictObject({ symbol: z.string(), count: z.number().int() })),
  }),
  payouts: z.strictObject({
    stopped: z.boolean(),
    at: instant.nullable(),
    why: z.string().nullable(),
    needs: payoutNeeds.nullable(),
  }),
  /** Every loop and queue of the workers; empty until a worker has run. */
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
