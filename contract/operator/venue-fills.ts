import { z } from 'zod';
import { endpoint, financeRoles, id, instant, line, operatorRoles } from '../endpoint.ts';
import { money, moneyAmount, transactionHash, why } from '../fields.ts';
import { symbolParam } from '../market.ts';
import { decisionsOf, proposal } from './proposals.ts';

/** Coins as decimal text, at most 12 decimals. */
const coins = z
  .string('Enter coins in numbers.')
  .regex(/^\d{1,15}(\.\d{1,12})?$/, 'Enter coins in numbers, at most 12 decimals.')
  .refine((text) => Number(text) > 0, 'Enter coins above 0.');

/** The part of an asset that the exchange could not sell at the end of a session. */
const unsold = z.strictObject({
  /** The session of the positions. */
  day: z.iso.date(),
  symbol: z.string(),
  /** Coins of positions still to be sold, and coins held at the exchange; decimal text. */
  quantity: z.string(),
  held: z.string(),
  /** The last mark and its market time; null without one. */
  mark: z.string().nullable(),
  mark_at: instant.nullable(),
  /** Whether the next session has opened since. */
  carried: z.boolean(),
});
export type UnsoldAsset = z.output<typeof unsold>;

const venueFill = proposal.extend({
  batch_id: id.nullable(),
  day: z.iso.date(),
  symbol: z.string(),
  quantity: z.string(),
  /** Dollars received before the fee, and the fee. */
  cost: money,
  fee: money,
  /** Dollars per coin net of the fee: members get this less the markup. */
  price: z.string(),
  /** The mark at the time of the proposal; null without one. */
  mark: z.string().nullable(),
  /** Where they were sold. */
  where: z.string(),
  /** Transaction of the payment or trade there. */
  transaction: z.string(),
});
export type VenueFillProposal = z.output<typeof venueFill>;

const salesRefusals = ['nothing_unsold', 'more_than_unsold', 'batch_under_way', 'price_far_from_mark'] as const;

const decisions = decisionsOf({
  path: '/operator/venue/fills',
  access: financeRoles,
  what: 'a fill made elsewhere',
  many: 'fills made elsewhere',
  effect: 'it is booked, and positions that are sold settle at its price',
  data: venueFill,
  refusals: salesRefusals,
});

/** Coins that the exchange cannot sell are sold elsewhere; booking the sale takes two operators. */
export const consoleVenueFills = {
  listUnsold: endpoint({
    method: 'GET',
    path: '/operator/venue/unsold',
    access: operatorRoles,
    summary: 'List what the exchange could not sell when a session ended',
    data: z.strictObject({ items: z.array(unsold) }),
  }),
  listVenueFills: decisions.list,
  proposeVenueFill: endpoint({
    method: 'POST',
    path: '/operator/venue/fills',
    access: financeRoles,
    summary: 'Record coins that were sold elsewhere; they are booked when a second operator approves it',
    body: z
      .strictObject({
        day: z.iso.date(),
        symbol: symbolParam,
        quantity: coins,
        /** Dollars received before the fee. */
        cost: moneyAmount.refine((amount) => amount > 0, 'Enter an amount above 0.'),
        fee: moneyAmount,
        where: line(100, 'Say where they were sold.'),
        transaction: transactionHash,
        reason: why,
        /** Confirms a price more than 20 % away from the last mark. */
        far_from_mark: z.boolean(),
      })
      .refine(({ cost, fee }) => fee < cost, { path: ['fee'], message: 'The fee is as much as was received.' }),
    data: venueFill,
    refusals: salesRefusals,
    idempotent: true,
  }),
  approveVenueFill: decisions.approve,
  rejectVenueFill: decisions.reject,
  withdrawVenueFill: decisions.withdraw,
};
