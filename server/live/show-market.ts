import { setImmediate } from 'node:timers/promises';
import type { LiveMessage } from '#contract/live/live.ts';
import type { Session } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { listMarket } from '#server/market/index.ts';
import { getSession } from '#server/trading/index.ts';
import { frameText } from './frame-text.ts';
import type { Listeners } from './listener.ts';

export type ShownMarket = { readonly frame: Buffer; readonly session: Session };

/** The market as it is sent to all sockets: read and serialized once. */
export async function readMarket(context: Context): Promise<ShownMarket> {
  const [pairs, session] = await Promise.all([listMarket(context.db), getSession(context)]);
  const prices: LiveMessage = {
    type: 'prices',
    data: {
      market_time: session.market_time,
      stale: session.feed.stale,
      pairs: pairs.map(({ apiname, rate, stale, change_24h, high_24h, low_24h }) => ({
        apiname,
        rate,
        stale,
        change_24h,
        high_24h,
        low_24h,
      })),
    },
  };
  return { frame: frameText(JSON.stringify(prices)), session };
}

/** Sockets written to in one turn of the event loop. Buffers are released, and other calls served, between turns. */
const CHUNK = 500;

/** Sends the prices to all, and the session if more than its time changed. */
export async function showMarket(
  listeners: Listeners,
  market: ShownMarket,
  before: ShownMarket | undefined,
): Promise<void> {
  let sent = 0;
  for (const listener of listeners.ofTopic('prices')) {
    listener.sendPrices(market.frame);
    sent += 1;
    if (sent % CHUNK === 0) await setImmediate();
  }
  if (before === undefined || timeless(before.session) === timeless(market.session)) return;
  for (const listener of listeners.ofTopic('session')) listener.send({ type: 'session', data: market.session });
}

const timeless = ({ market_time: _now, feed: { at: _at, ...feed }, ...session }: Session): string =>
  JSON.stringify({ session, feed });
