/** What a poll said about the market clock, and when (real time) it said so. */
export type ClockReading = {
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
