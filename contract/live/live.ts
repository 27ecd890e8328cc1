import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { money } from '../fields.ts';
import { marketEntry } from '../market.ts';
import { notification } from '../notify.ts';
import { tradeStates } from '../trading/trade.ts';
import { session } from '../trading/trading.ts';
import { liveTopics } from './live-rules.ts';

/**
 * The cursor up to which a socket has received everything. Opaque: the client only returns the last one as `since`.
 */
const position = z.string().regex(/^[0-9a-z:,.]{1,8000}$/, 'Not a position.');

/**
 * The client's first and only message, due within five seconds. The token is never in the URL, because URLs are logged.
 * With `since`, the events after it are replayed; without it, only new events are sent.
 */
export const liveHandshake = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9_-]{20,200}$/, 'Not a token.'),
  topics: z.array(z.enum(liveTopics)).min(1).max(liveTopics.length),
  since: position.optional(),
});
export type LiveHandshake = z.output<typeof liveHandshake>;

const livePrice = marketEntry.pick({
  apiname: true,
  rate: true,
  stale: true,
  change_24h: true,
  high_24h: true,
  low_24h: true,
});

/** State that replaces the previous one: only the newest counts, so it has no position. */
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

/** Current balances of the two wallets. */
const balance = z.strictObject({
  type: z.literal('balance'),
  position,
  data: z.strictObject({ primary_wallet: money, profit_wallet: money }),
});

/** New notifications, oldest first, and the current unread count; empty when only the count changed. */
const notifications = z.strictObject({
  type: z.literal('notification'),
  position,
  data: z.strictObject({ added: z.array(notification), unread: z.number().int().min(0) }),
});

/** Trades that changed. Null: too many to list (a session settled), so refetch what is shown. */
const trades = z.strictObject({
  type: z.literal('trade'),
  position,
  data: z.strictObject({ trades: z.array(z.strictObject({ id, state: z.enum(tradeStates) })).nullable() }),
});

/** Tickets with a new message, state or read marker. */
const tickets = z.strictObject({
  type: z.literal('ticket'),
  position,
  data: z.strictObject({ ids: z.array(id) }),
});

/** The subscription is active. Events after `since` follow next, unless `resync` does. */
const ready = z.strictObject({ type: z.literal('ready'), position });
/** Missed events cannot be replayed: everything shown may be stale and must be fetched again. */
const resync = z.strictObject({ type: z.literal('resync'), position });
/** Heartbeat every twenty seconds: a client that receives nothing for longer knows that its connection is dead. */
const beat = z.strictObject({ type: z.literal('beat'), position });

/** Every server message. A client stores the last `position` and sends it as `since` when it reconnects. */
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
