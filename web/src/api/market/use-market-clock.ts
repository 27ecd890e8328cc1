import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Session } from '#contract/trading/trading.ts';
import { marketTimeAt, remainingMs } from './market-time.ts';
import { sessionQuery } from './queries.ts';

export type MarketClock = {
  readonly session: Session | undefined;
  /** Market time now; undefined until the first answer. */
  readonly now: Date | undefined;
  /** To the close of an open session or the opening of the next; null when neither is ahead. */
  readonly remainingMs: number | null;
};

const STEP_MS = 250;

/** Real time in steps, so that all clocks on a page move in the same moment. */
const subscribe = (tell: () => void) => {
  const timer = setInterval(tell, STEP_MS);
  return () => clearInterval(timer);
};
const realNow = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** The market's own clock, running between two polls at the feed's speed. */
export function useMarketClock(): MarketClock {
  const { data: session, dataUpdatedAt } = useQuery(sessionQuery);
  const now = useSyncExternalStore(subscribe, realNow);
  if (session === undefined) return { session, now: undefined, remainingMs: null };

  const { speed, ended } = session.feed;
  const reading = { marketAt: Date.parse(session.market_time), speed, ended, receivedAt: dataUpdatedAt };
  const marketAt = marketTimeAt(reading, now);
  return { session, now: new Date(marketAt), remainingMs: remainingMs(session, marketAt) };
}
