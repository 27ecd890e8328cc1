const FIRST_PAUSE_MS = 5000;
const LEAST_LONGEST_PAUSE_MS = 60_000;
/** A source that asks for more than this is asked again all the same. */
const LONGEST_WISH_MS = 3_600_000;

/**
 * How long to wait before the next call: the pace of the source; after failures 5 s, 10 s, 20 s and so on up to the
 * pace or a minute, whichever is longer, but never less than the source itself asked for.
 *
 * Worked, at a pace of 300 s: after the third failure in a row 20 s; with `retry-after: 53`, 53 s; after the tenth 300 s.
 */
export function pollPauseMs(source: {
  readonly paceMs: number;
  readonly failures: number;
  readonly wishMs: number | null;
}): number {
  if (source.failures === 0) return source.paceMs;
  const growing = FIRST_PAUSE_MS * 2 ** (source.failures - 1);
  const pause = Math.min(growing, Math.max(source.paceMs, LEAST_LONGEST_PAUSE_MS));
  return Math.max(pause, Math.min(source.wishMs ?? 0, LONGEST_WISH_MS));
}
