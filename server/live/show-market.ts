import { setImmediate } from 'node:timers/promises';
import type { LiveMessage } from '#contract/live/live.ts';
import type { Session } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { listMarket } from '#server/market/index.ts';
import { getSession } from '#server/trading/index.ts';
import { frameText } from './frame-text.ts';
import type { Listeners } from './listener.ts';

export type ShownMarket = { readonly frame: Buffer; readonly session: Session };

/** The market as all sockets are shown it: read once and written once, however many they are. */
export async function readMarket(context: Context): Promise<ShownMarket> {
  const [pairs, session] = await Promise.all([listMarket(context.db), getSession(context)]);
  const prices: LiveMessage = {
    type: 'prices',
    data: {
      market_time: session.market_time,
      stale: session.feed.stale,
      pairs: pairs.map(({ apiname, rate, change_24h, high_24h, low_24h }) => ({
        apiname,
        rate,
        change_24h,
        high_24h,
        low_24h,
      })),
    },
  };
  return { frame: frameText(JSON.stringify(prices)), session };
}

/** What is written to one socket is let go of in the next turn: so many at once leave little behind, and let calls in. */
const AT_ONCE = 500;

/** Shows everybody the prices, and the session where more of it changed than the time. */
export async function showMarket(
  listeners: Listeners,
  market: ShownMarket,
  before: ShownMarket | undefined,
): Promise<void> {
  let shown = 0;
  for (const listener of listeners.ofTopic('prices')) {
    listener.show(market.frame);
    shown += 1;
    if (shown % AT_ONCE === 0) await setImmediate();
  }
  if (before === undefined || timeless(before.session) === timeless(market.session)) return;
  for (const listener of listeners.ofTopic('session')) listener.tell({ type: 'session', data: market.session });
}

const timeless = ({ market_time: _now, feed: { at: _at, ...feed }, ...session }: Session): string =>
  JSON.stringify({ session, feed });
