import { z } from 'zod';
import { instant } from '../endpoint.ts';
import { money } from '../fields.ts';
import { incomeTransfer } from '../income.ts';
import { candle, candleIntervals } from '../market.ts';
import { reasonCodes } from './strategy.ts';
import { trade } from './trade.ts';

/** A price or quantity with all its decimals, as text, so that no digit is lost on the way to whoever checks it. */
const exact = z.string().regex(/^\d+(\.\d+)?$/);

/**
 * How a trade was bought or sold. On paper `price` = `mark` × (1 ± `spread_bps` ÷ 20 000), rounded half up to 12 decimals; at an
 * exchange it is the sum of `execution`, the last two taken off for a sale.
 */
const fill = z.strictObject({
  at: instant,
  mark: exact,
  spread_bps: z.number().int(),
  price: exact,
  /** `stored`: the mark as the market had it; `derived`: worked back from the price, because ticks are kept for 3 days. */
  mark_source: z.enum(['stored', 'derived']),
  /** The exchange's fill, its fee and the markup, dollars a coin; null on paper. */
  execution: z.strictObject({ fill: exact, exchange_fee: exact, markup: exact }).nullable(),
});
export type TradeFill = z.output<typeof fill>;

/** Marks of a minute, each with how long it held: what a closing mark is the average of. */
const averaged = z.strictObject({
  /** The last minute of the session, or the first full fresh one after it, when the price was late. */
  minute: z.enum(['session_close', 'late_price']),
  from: instant,
  to: instant,
  /** null when its ticks are no longer kept. */
  parts: z.array(z.strictObject({ price: exact, ms: z.number().int() })).nullable(),
});

export const tradeEventKinds = ['placed', 'opened', 'stops_set', 'close_asked', 'closed', 'cancelled'] as const;

/** What happened to it. `at` is market time; `mark` what the market stood at then, null when that is no longer kept. */
const event = z.strictObject({
  kind: z.enum(tradeEventKinds),
  at: instant,
  mark: z.number().nullable(),
  words: z.string(),
});
export type TradeEvent = z.output<typeof event>;

/** Why a strategy bought or sold, of a plan's trade. */
const decision = z.strictObject({
  at: instant,
  side: z.enum(['entry', 'exit']),
  reason: z.enum(reasonCodes),
  words: z.string(),
});

/** A ledger transfer of the trade. Accounts are named by their class; `balance_after` is the member's own, if it has one. */
const transfer = incomeTransfer.extend({
  market_at: instant,
  from_balance_after: money.nullable(),
  to_balance_after: money.nullable(),
});
export type TradeTransfer = z.output<typeof transfer>;

const tick = z.strictObject({ time: instant, price: z.number() });

/** Prices from a little before it was placed to a little after it closed: ticks while they are kept, else candles. */
const chart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ticks'), ticks: z.array(tick) }),
  z.strictObject({ kind: z.literal('candles'), interval: z.enum(candleIntervals), candles: z.array(candle) }),
]);
export type TradeChart = z.output<typeof chart>;

/**
 * Everything a trade's number is made of (docs/product.md, section 2, "Money flows", and section 3). With A the amount:
 * f = A × `trade_bps`, N = A − f, quantity = N ÷ open price, P = N × close price ÷ open price, g = max(0, P − A) ×
 * `performance_bps`, gross = P − N, result = P − A − g; money is rounded down to 10⁻⁶ dollar, once per figure.
 */
export const tradeDetail = z.strictObject({
  trade,
  /** The fee plan in force when its session opened, in basis points; null before. */
  rates: z.strictObject({ trade_bps: z.number().int(), performance_bps: z.number().int() }).nullable(),
  opening: fill.nullable(),
  closing: fill.nullable(),
  /** Of a trade that its session closed: how its mark was averaged; null when it was sold at a tick. */
  average: averaged.nullable(),
  /** N. */
  net: money.nullable(),
  /** Coins, cut after 12 decimals. */
  quantity: exact.nullable(),
  /** P; of an open trade what selling it now would give. */
  proceeds: money.nullable(),
  events: z.array(event),
  decisions: z.array(decision),
  transfers: z.array(transfer),
  chart,
});
export type TradeDetail = z.output<typeof tradeDetail>;
