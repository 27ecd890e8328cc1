import { sessionWindowUtc } from '#contract/rules.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** docs/product.md, section 3: the clock skips to ten market minutes before an opening; it also starts there. */
const LEAD_MS = 10 * MINUTE_MS;
const OPEN_MS = sessionWindowUtc.openMinute * MINUTE_MS;
const CLOSE_MS = sessionWindowUtc.closeMinute * MINUTE_MS;

const midnightBefore = (atMs: number): number => atMs - (atMs % DAY_MS);

/**
 * Start of simulated market time: ten minutes before the opening of the current real day. Worked: first started on
 * 2026-03-04 at 18:00 UTC → 2026-03-04 12:20 UTC.
 */
export const simulatedStartMs = (realNowMs: number): number => midnightBefore(realNowMs) + OPEN_MS - LEAD_MS;

/**
 * Start of a recording's playback: ten minutes before its second complete session, so that a day of history precedes
 * it. With only one complete session, ten minutes before that, or the recording's first candle. Undefined without a
 * complete session.
 *
 * Worked: recorded from 2025-06-16 21:00 to 2025-06-22 21:00 UTC, the complete sessions are those of the 17th to the
 * 22nd; it plays from 2025-06-18 12:20 UTC.
 */
export function replayStartMs(recording: { readonly fromMs: number; readonly toMs: number }): number | undefined {
  const openings: number[] = [];
  for (let dayMs = midnightBefore(recording.fromMs); dayMs < recording.toMs && openings.length < 2; dayMs += DAY_MS) {
    if (dayMs + OPEN_MS >= recording.fromMs && dayMs + CLOSE_MS <= recording.toMs) openings.push(dayMs + OPEN_MS);
  }
  const opening = openings.at(-1);
  return opening === undefined ? undefined : Math.max(recording.fromMs, opening - LEAD_MS);
}
