import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { money, signedMoney } from '../fields.ts';
import { walletTypes } from '../rules.ts';
import { english } from '../texts.ts';
import { stopPercents } from './stops.ts';

export const tradeStates = ['queued', 'opening', 'open', 'settling', 'settled', 'cancelled'] as const;
export type TradeState = (typeof tradeStates)[number];
/** What can cause an open trade to be sold before its session ends. */
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

/** The base symbol of an asset. Optional, because the operation refuses a missing or unknown one with the same words. */
export const tradeId = z.string(english.t`Please select a trade.`).nullish();

/** Where a trade's money comes from: a wallet, or, for a plan's trade, the plan's investment. */
export const tradeSources = [...walletTypes, 'investment'] as const;
export type TradeSource = (typeof tradeSources)[number];

/**
 * An exchange's execution, in dollars per coin: the member's price is `fill_price` ± `exchange_fee` ± `markup`, plus
 * for a purchase and minus for a sale. Trade exports have these three as columns, for opening and closing.
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
  /** The trade fee; null until the trade opens. */
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
  /** P − A − g: the trade's net effect on the wallets. */
  result: signedMoney.nullable(),
  /** The stops in percent, and the marks that trigger them, once known. */
  stops: stopPercents.extend({
    stop_loss_price: z.number().nullable(),
    take_profit_price: z.number().nullable(),
    trailing_stop_price: z.number().nullable(),
  }),
  /** The exchange's execution of purchase and sale; null on paper, and until filled. */
  execution: execution.nullable(),
  close_execution: execution.nullable(),
  /** Its sale is requested and waits for the next tick, or it was carried over and is being sold. */
  closing: z.boolean(),
  /** Who or what requested the sale; null if it was carried over, which no request changes. */
  closing_cause: z.enum(closeCauses).nullable(),
  /** Only while open: the current mark, and the result of selling at it, less half the spread. */
  live: z.strictObject({ price: z.number(), result: signedMoney }).nullable(),
});
export type Trade = z.output<typeof trade>;
