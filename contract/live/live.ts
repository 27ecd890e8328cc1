import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { money } from '../fields.ts';
import { marketEntry } from '../market.ts';
import { notification } from '../notify.ts';
import { tradeStates } from '../trading/trade.ts';
import { session } from '../trading/trading.ts';
import { liveTopics } from './live-rules.ts';

/**
 * How far a socket was told everything. Opaque to the client, which only gives the last one it was told back as `since`.
 */
const position = z.string().regex(/^[0-9a-z:,.]{1,8000}$/, 'Not a position.');

/**
 * The first and only message of a client, within five seconds. The token is never in the address, which is logged.
 * With `since` the events after it follow; without, only those from now on.
 */
export const liveHandshake = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9_-]{20,200}$/, 'Not a token.'),
  topics: z.array(z.enum(liveTopics)).min(1).max(liveTopics.length),
  since: position.optional(),
});
export type LiveHandshake = z.output<typeof liveHandshake>;

const livePrice = marketEntry.pick({ apiname: true, rate: true, change_24h: true, high_24h: true, low_24h: true });

/** State that replaces what was known before: only the newest one counts, so it has no position. */
const prices = z.strictObject({
  type: z.literal('prices'),
  data: z.strictObject({
    market_time: instant,
    stale: z.boolean(),
    /** All pairs, in the order of the market list. */
    pairs: z.array(livePrice),
  }),
});
const sessionChange = z.strictObject({ type: z.literal('session'), data: session });

/** The two wallets as they are now. */
const balance = z.strictObject({
  type: z.literal('balance'),
  position,
  data: z.strictObject({ primary_wallet: money, profit_wallet: money }),
});

/** New notifications, oldest first, and how many are unread now; empty when only that number changed. */
const notifications = z.strictObject({
  type: z.literal('notification'),
  position,
  data: z.strictObject({ added: z.array(notification), unread: z.number().int().min(0) }),
});

/** Trades that changed. null: too many to name them (a session settled): ask for what is shown. */
const trades = z.strictObject({
  type: z.literal('trade'),
  position,
  data: z.strictObject({ trades: z.array(z.strictObject({ id, state: z.enum(tradeStates) })).nullable() }),
});

/** Tickets with a new message, another state or another read mark. */
const tickets = z.strictObject({
  type: z.literal('ticket'),
  position,
  data: z.strictObject({ ids: z.array(id) }),
});

/** The socket listens from here on. What `since` asked for comes next, unless `resync` comes. */
const ready = z.strictObject({ type: z.literal('ready'), position });
/** What happened cannot be told one by one: everything that is shown may be old and has to be asked for again. */
const resync = z.strictObject({ type: z.literal('resync'), position });
/** Every twenty seconds, so that a client that hears nothing for longer knows its line is dead. */
const beat = z.strictObject({ type: z.literal('beat'), position });

/** All that the server says. A client keeps the last `position`, and gives it back when it comes again. */
export const liveMessage = z.discriminatedUnion('type', [
  ready,
  resync,
  beat,
  balance,
  notifications,
  trades,
  tickets,
  sessionChange,
  prices,
]);
export type LiveMessage = z.output<typeof liveMessage>;
