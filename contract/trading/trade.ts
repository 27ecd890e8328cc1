import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { walletTypes } from '../rules.ts';
import { stopPercents } from './stops.ts';

export const tradeStates = ['queued', 'opening', 'open', 'settling', 'settled', 'cancelled'] as const;
export type TradeState = (typeof tradeStates)[number];
/** What can ask for an open trade to be sold before its session ends. */
export const closeCauses = ['close_now', 'stop_loss', 'take_profit', 'trailing_stop', 'strategy'] as const;
export type CloseCause = (typeof closeCauses)[number];
export const closeReasons = ['session_close', 'late_price', ...closeCauses] as const;
export type CloseReason = (typeof closeReasons)[number];
export const cancelReasons = [
  'member',
  'asset_off',
  'frozen',
  'own_limit',
  'venue_down',
  'halted',
  'session_closed',
  'not_filled',
  'over_asset_limit',
] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** Where the money of a trade comes from: a wallet, or for a plan's trade what is invested in it. */
export const tradeSources = [...walletTypes, 'investment'] as const;
export type TradeSource = (typeof tradeSources)[number];

/**
 * What an exchange filled a trade at, in dollars a coin: the member's price is `fill_price` ± `exchange_fee` ± `markup`, plus for a
 * purchase and minus for a sale. Files of trades have the three of opening and closing as columns.
 */
const execution = z.strictObject({ fill_price: z.number(), exchange_fee: z.number(), markup: z.number() });

/** A trade as its member sees it (docs/product.md, section 3). */
export const trade = z.strictObject({
  id,
  symbol: z.string(),
  wallet_type: z.enum(tradeSources),
  /** The plan that placed it. */
  plan_id: id.nullable(),
  amount: money,
  /** The trade fee; null until the trade opened. */
  fee: money.nullable(),
  state: z.enum(tradeStates),
  placed_at: instant,
  opened_at: instant.nullable(),
  open_price: z.number().nullable(),
  closed_at: instant.nullable(),
  close_price: z.number().nullable(),
  close_reason: z.enum(closeReasons).nullable(),
  cancel_reason: z.enum(cancelReasons).nullable(),
  /** P − N, before the performance fee. */
  gross: signedMoney.nullable(),
  performance_fee: money.nullable(),
  /** P − A − g: what the trade changed in the wallets. */
  result: signedMoney.nullable(),
  /** The stops in percent, and the marks at which they are crossed, once known. */
  stops: stopPercents.extend({
    stop_loss_price: z.number().nullable(),
    take_profit_price: z.number().nullable(),
    trailing_stop_price: z.number().nullable(),
  }),
  /** How the exchange filled its purchase and its sale; null on paper, and before. */
  execution: execution.nullable(),
  close_execution: execution.nullable(),
  /** Its sale was asked for and waits for the next tick. */
  closing: z.boolean(),
  /** By whom or what. */
  closing_cause: z.enum(closeCauses).nullable(),
  /** Only while open: what closing at the mark now would give. */
  live: z.strictObject({ price: z.number(), result: signedMoney }).nullable(),
});
export type Trade = z.output<typeof trade>;
