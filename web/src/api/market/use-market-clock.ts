import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Session } from '#contract/trading/trading.ts';
import { sessionQuery } from './queries.ts';

export type MarketClock = {
  readonly session: Session | undefined;
  /** Market time now; undefined until the first response. */
  readonly now: Date | undefined;
  /** Time to the close of an open session or to the next opening; null when neither is ahead. */
  readonly remainingMs: number | null;
};

const STEP_MS = 250;

/** Real time in steps, so that all clocks on a page tick together. */
const realStep = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** The market clock, extrapolated between polls at the feed's speed. */
export function useMarketClock(): MarketClock {
  const { data: session, dataUpdatedAt } = useQuery(sessionQuery);
  const [at, setAt] = useState(realStep);
  useEffect(() => {
    const timer = setInterval(() => setAt(realStep()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  if (session === undefined) return { session, now: undefined, remainingMs: null };

  const { speed, ended } = session.feed;
  const reading = { marketAt: Date.parse(session.market_time), speed, ended, receivedAt: dataUpdatedAt };
  const marketAt = marketTimeAt(reading, at);
  return { session, now: new Date(marketAt), remainingMs: remainingMs(session, marketAt) };
}

/** The market clock as last polled, and the real time of that poll. */
type ClockReading = {
  readonly marketAt: number;
  readonly speed: number;
  readonly ended: boolean;
  readonly receivedAt: number;
};

/** Without a poll for this long the clock stops: it would be guessing. */
export const MAX_EXTRAPOLATION_MS = 10_000;

/**
 * Market time now, in milliseconds since 1970, extrapolated from the last reading at the market's speed.
 * `marketTimeAt({ marketAt: 0, speed: 60, ended: false, receivedAt: 5_000 }, 6_000) === 60_000`
 */
export function marketTimeAt(reading: ClockReading, now: number): number {
  if (reading.ended) return reading.marketAt;
  const elapsed = Math.min(Math.max(now - reading.receivedAt, 0), MAX_EXTRAPOLATION_MS);
  return reading.marketAt + elapsed * reading.speed;
}

/** Time to the close of an open session or to the next opening, never below zero; null when neither is ahead. */
export function remainingMs(
  session: Pick<Session, 'state' | 'opens_at' | 'closes_at'>,
  marketAt: number,
): number | null {
  if (session.state === 'open') return Math.max(0, Date.parse(session.closes_at) - marketAt);
  if (session.state === 'closed') return Math.max(0, Date.parse(session.opens_at) - marketAt);
  return null;
}
