import { z } from 'zod';
import { endpoint, financeRoles, id, instant, line, operatorRoles } from '../endpoint.ts';
import { money, moneyAmount, transactionHash, why } from '../fields.ts';
import { symbolParam } from '../market.ts';
import { decisionsOf, proposal } from './proposals.ts';

/** Coins as decimal text, at most 12 decimals. */
const coins = z
  .string('Enter coins in numbers.')
  .regex(/^\d{1,15}(\.\d{1,12})?$/, 'Enter coins in numbers, at most 12 decimals.');

const side = z.enum(['buy', 'sell']);

/** Coins that the exchange could not sell at the end of a session, or an order that it has not answered about for an hour. */
const unsold = z.strictObject({
  /** Null for positions. */
  order: z.strictObject({ batch_id: id, client_order_id: z.string(), side }).nullable(),
  /** The session of the positions or of the order. */
  day: z.iso.date(),
  symbol: z.string(),
  /** Coins of positions still to be sold, or ordered; and coins held at the exchange; decimal text. */
  quantity: z.string(),
  held: z.string(),
  /** The last mark and its market time, or that of the order and when it was planned; null without one. */
  mark: z.string().nullable(),
  mark_at: instant.nullable(),
  /** Whether the next session has opened since. */
  carried: z.boolean(),
});
export type UnsoldAsset = z.output<typeof unsold>;

const venueFill = proposal.extend({
  batch_id: id.nullable(),
  /** Our id of the order of which it says what was filled; null for a sale made elsewhere. */
  client_order_id: z.string().nullable(),
  side,
  day: z.iso.date(),
  symbol: z.string(),
  /** Of an order possibly 0, like `cost` and `price`: it filled nothing. */
  quantity: z.string(),
  /** Dollars before the fee, and the fee. */
  cost: money,
  fee: money,
  /** Dollars per coin net of the fee, before the markup. */
  price: z.string(),
  /** The mark at the time of the proposal; null without one. */
  mark: z.string().nullable(),
  /** Where they were sold, or what says what the order filled. */
  where: z.string(),
  /** Transaction of the payment or trade there; of an order, the exchange’s id of its fill. */
  transaction: z.string(),
});
export type VenueFillProposal = z.output<typeof venueFill>;

const salesRefusals = ['nothing_unsold', 'more_than_unsold', 'batch_under_way', 'price_far_from_mark'] as const;

const decisions = decisionsOf({
  path: '/operator/venue/fills',
  access: financeRoles,
  what: 'a fill that the exchange does not report',
  many: 'fills that the exchange does not report',
  effect: 'it is booked, and positions that are sold settle at its price',
  data: venueFill,
  refusals: salesRefusals,
});

/**
 * What the exchange does not report: coins that were sold elsewhere, and what an order filled that it no longer answers
 * about. Booking either takes two operators.
 */
export const consoleVenueFills = {
  listUnsold: endpoint({
    method: 'GET',
    path: '/operator/venue/unsold',
    access: operatorRoles,
    summary:
      'List what the exchange could not sell when a session ended, and orders it has not answered about for an hour',
    data: z.strictObject({ items: z.array(unsold) }),
  }),
  listVenueFills: decisions.list,
  proposeVenueFill: decisions.propose({
    summary:
      'Record coins that were sold elsewhere, or what an order filled; booked when a second operator approves it',
    body: z
      .strictObject({
        /** The batch whose order it is; absent for coins sold elsewhere. */
        batch_id: id.optional(),
        day: z.iso.date(),
        symbol: symbolParam,
        /** Coins sold, or received. */
        quantity: coins,
        /** Dollars before the fee. */
        cost: moneyAmount,
        fee: moneyAmount,
        where: line(100, 'Say where they were sold.'),
        transaction: transactionHash,
        reason: why,
        /** Confirms a price more than 20 % away from the last mark. */
        far_from_mark: z.boolean(),
      })
      .refine(({ batch_id: order, quantity }) => order !== undefined || Number(quantity) > 0, {
        path: ['quantity'],
        message: 'Enter coins above 0.',
      })
      .refine(({ quantity, cost }) => cost > 0 === Number(quantity) > 0, {
        path: ['cost'],
        message: 'Enter the dollars of these coins.',
      })
      .refine(({ cost, fee }) => fee < cost || fee === 0, {
        path: ['fee'],
        message: 'The fee is as much as was received.',
      }),
    refusals: salesRefusals,
    idempotent: true,
  }),
  approveVenueFill: decisions.approve,
  rejectVenueFill: decisions.reject,
  withdrawVenueFill: decisions.withdraw,
};
