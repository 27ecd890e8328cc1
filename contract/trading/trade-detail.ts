import { z } from 'zod';
import { instant } from '../endpoint.ts';
import { money } from '../fields.ts';
import { incomeTransfer } from '../income.ts';
import { candle, candleIntervals } from '../market.ts';
import { reasonCodes } from './strategy.ts';
import { trade } from './trade.ts';

/** A price or quantity as text with all its decimals, so that whoever verifies it loses no digit. */
const exact = z.string().regex(/^\d+(\.\d+)?$/);

/**
 * How a trade was bought or sold. On paper `price` = `mark` × (1 ± `spread_bps` ÷ 20 000), rounded half up to 12
 * decimals; at an exchange it is the sum of `execution`, with the last two subtracted for a sale.
 */
const fill = z.strictObject({
  at: instant,
  mark: exact,
  spread_bps: z.number().int(),
  price: exact,
  /** `stored`: the recorded mark; `derived`: calculated back from the price, because ticks are kept for only 3 days. */
  mark_source: z.enum(['stored', 'derived']),
  /** The exchange's fill, its fee and the markup, in dollars per coin; null on paper. */
  execution: z.strictObject({ fill: exact, exchange_fee: exact, markup: exact }).nullable(),
});
export type TradeFill = z.output<typeof fill>;

/** The marks of one minute with their durations; the closing mark is their time-weighted average. */
const averaged = z.strictObject({
  /** The session's last minute, or, with a late price, the first full minute of fresh prices after it. */
  minute: z.enum(['session_close', 'late_price']),
  from: instant,
  to: instant,
  /** Null once its ticks are purged. */
  parts: z.array(z.strictObject({ price: exact, ms: z.number().int() })).nullable(),
});

export const tradeEventKinds = ['placed', 'opened', 'stops_set', 'close_asked', 'closed', 'cancelled'] as const;

/** An event of the trade. `at` is market time; `mark` is the mark at that time, null once it is purged. */
const event = z.strictObject({
  kind: z.enum(tradeEventKinds),
  at: instant,
  mark: z.number().nullable(),
  words: z.string(),
});
export type TradeEvent = z.output<typeof event>;

/** Why the strategy of a plan's trade bought or sold. */
const decision = z.strictObject({
  at: instant,
  side: z.enum(['entry', 'exit']),
  reason: z.enum(reasonCodes),
  words: z.string(),
});

/** A ledger transfer of the trade. Accounts appear by class; `balance_after` is the member's own, if any. */
const transfer = incomeTransfer.extend({
  market_at: instant,
  from_balance_after: money.nullable(),
  to_balance_after: money.nullable(),
});
export type TradeTransfer = z.output<typeof transfer>;

const tick = z.strictObject({ time: instant, price: z.number() });

/** Prices from shortly before placing to shortly after closing: ticks while they are retained, then candles. */
const chart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ticks'), ticks: z.array(tick) }),
  z.strictObject({ kind: z.literal('candles'), interval: z.enum(candleIntervals), candles: z.array(candle) }),
]);
export type TradeChart = z.output<typeof chart>;

/**
 * Everything that makes up a trade's result (docs/product.md, section 2, "Money flows", and section 3). With amount A:
 * f = A × `trade_bps`, N = A − f, quantity = N ÷ open price, P = N × close price ÷ open price, g = max(0, P − A) ×
 * `performance_bps`, gross = P − N, result = P − A − g; money is rounded down to 10⁻⁶ dollar, once per figure.
 */
export const tradeDetail = z.strictObject({
  trade,
  /** Rates of the fee plan in force when its session opened, in basis points; null before. */
  rates: z.strictObject({ trade_bps: z.number().int(), performance_bps: z.number().int() }).nullable(),
  opening: fill.nullable(),
  closing: fill.nullable(),
  /** How the closing mark was averaged, for a trade closed by its session; null if sold at a tick. */
  average: averaged.nullable(),
  /** N. */
  net: money.nullable(),
  /** Coins, truncated to 12 decimals. */
  quantity: exact.nullable(),
  /** P; for an open trade, the proceeds of selling it now. */
  proceeds: money.nullable(),
  events: z.array(event),
  decisions: z.array(decision),
  transfers: z.array(transfer),
  chart,
});
export type TradeDetail = z.output<typeof tradeDetail>;
