import { z } from 'zod';
import { endpoint, financeRoles, id, instant, line, operatorRoles, page } from '../endpoint.ts';
import { money, moneyAmount, transactionHash, why } from '../fields.ts';
import { symbolParam } from '../market.ts';
import { decisionsOf, proposal, proposalQuery } from './proposals.ts';

/** Coins as decimal text, at most 12 decimals. */
const coins = z
  .string('Enter coins in numbers.')
  .regex(/^\d{1,15}(\.\d{1,12})?$/, 'Enter coins in numbers, at most 12 decimals.')
  .refine((text) => Number(text) > 0, 'Enter coins above 0.');

/** What the exchange could not sell of an asset when a session ended. */
const unsold = z.strictObject({
  /** The session whose positions they are. */
  day: z.iso.date(),
  symbol: z.string(),
  /** Coins of positions that are left to sell, and what the exchange holds of the asset; decimal text. */
  quantity: z.string(),
  held: z.string(),
  /** The last mark, and its instant of market time; null without one. */
  mark: z.string().nullable(),
  mark_at: instant.nullable(),
  /** Whether the next session opened meanwhile. */
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
  /** Dollars a coin, the fee taken off: without the markup what members get. */
  price: z.string(),
  /** The mark when it was proposed; null without one. */
  mark: z.string().nullable(),
  /** Who bought them. */
  where: z.string(),
  /** Of the payment or trade there. */
  transaction: z.string(),
});
export type VenueFillProposal = z.output<typeof venueFill>;

const salesRefusals = ['nothing_unsold', 'more_than_unsold', 'batch_under_way', 'price_far_from_mark'] as const;

const decisions = decisionsOf({
  path: '/operator/venue/fills',
  access: financeRoles,
  what: 'a fill made elsewhere',
  effect: 'it is booked, and positions that are sold settle at its price',
  data: venueFill,
  refusals: salesRefusals,
});

/** Coins that the exchange cannot sell are sold elsewhere, and booked by two operators. */
export const consoleVenueFills = {
  listUnsold: endpoint({
    method: 'GET',
    path: '/operator/venue/unsold',
    access: operatorRoles,
    summary: 'List what the exchange could not sell when a session ended',
    data: z.strictObject({ items: z.array(unsold) }),
  }),
  listVenueFills: endpoint({
    method: 'GET',
    path: '/operator/venue/fills',
    access: operatorRoles,
    summary: 'List fills made elsewhere, newest first; pending ones oldest first',
    query: proposalQuery,
    data: page(venueFill),
  }),
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
        /** Whether a price of more than 20 % from the last mark is right. */
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
