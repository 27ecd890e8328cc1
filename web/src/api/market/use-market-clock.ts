import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Session } from '#contract/trading/trading.ts';
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
const realStep = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;
let now = realStep();

const subscribe = (tell: () => void) => {
  const timer = setInterval(() => {
    now = realStep();
    tell();
  }, STEP_MS);
  return () => clearInterval(timer);
};

/** Stands between two steps of the timer, because React asks twice and must hear the same. Older than that, nobody listened. */
function realNow(): number {
  const step = realStep();
  if (Math.abs(step - now) > STEP_MS) now = step;
  return now;
}

/** The market's own clock, running between two polls at the feed's speed. */
export function useMarketClock(): MarketClock {
  const { data: session, dataUpdatedAt } = useQuery(sessionQuery);
  const at = useSyncExternalStore(subscribe, realNow);
  if (session === undefined) return { session, now: undefined, remainingMs: null };

  const { speed, ended } = session.feed;
  const reading = { marketAt: Date.parse(session.market_time), speed, ended, receivedAt: dataUpdatedAt };
  const marketAt = marketTimeAt(reading, at);
  return { session, now: new Date(marketAt), remainingMs: remainingMs(session, marketAt) };
}

/** What a poll said about the market clock, and when (real time) it said so. */
type ClockReading = {
  readonly marketAt: number;
  readonly speed: number;
  readonly ended: boolean;
  readonly receivedAt: number;
};

/** Without news for this long the clock stands: a time that runs on alone would be a guess. */
export const LONGEST_GUESS_MS = 10_000;

/**
 * Market time now, in milliseconds since 1970, running on from the last reading at the market's speed.
 * `marketTimeAt({ marketAt: 0, speed: 60, ended: false, receivedAt: 5_000 }, 6_000) === 60_000`
 */
export function marketTimeAt(reading: ClockReading, now: number): number {
  if (reading.ended) return reading.marketAt;
  const elapsed = Math.min(Math.max(now - reading.receivedAt, 0), LONGEST_GUESS_MS);
  return reading.marketAt + elapsed * reading.speed;
}

type Times = {
  readonly state: 'closed' | 'open' | 'settling' | 'ended';
  readonly opens_at: string;
  readonly closes_at: string;
};

/** To the close of an open session or the opening of the next, never below zero; null when neither is ahead. */
export function remainingMs(session: Times, marketAt: number): number | null {
  if (session.state === 'open') return Math.max(0, Date.parse(session.closes_at) - marketAt);
  if (session.state === 'closed') return Math.max(0, Date.parse(session.opens_at) - marketAt);
  return null;
}
