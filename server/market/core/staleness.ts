/** docs/product.md, section 3: stale when no tick came for this long after one was due. */
const LEAST_PATIENCE_MS = 60_000;
const PATIENCE_STEPS = 3;

/**
 * The last instant at which a mark still holds. The next tick is due a quarter of the step after it; from then on
 * max(60 s, 3 × step) is waited (docs/product.md, section 3, "Ticks").
 *
 * Worked: one-minute candles, mark of 12:30:45. The next is due at 12:31:00; the mark holds to 12:34:00.
 */
export const freshUntilMs = (markAtMs: number, stepSeconds: number): number =>
  markAtMs + stepSeconds * 250 + Math.max(LEAST_PATIENCE_MS, PATIENCE_STEPS * stepSeconds * 1000);

/** True when there is no mark, or it no longer holds. Worked: the mark above is stale at 12:34:00.001. */
export const isStale = (markAtMs: number | null, atMs: number, stepSeconds: number): boolean =>
  markAtMs === null || atMs > freshUntilMs(markAtMs, stepSeconds);
