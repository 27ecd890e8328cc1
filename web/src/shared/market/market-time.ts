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

/** Hours, minutes and seconds that remain; hours are not padded and never wrap. `formatCountdown(12_291_000) === '3:24:51'` */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.floor(remainingMs / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
