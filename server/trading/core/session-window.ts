import { sessionWindowUtc } from '#contract/rules.ts';

/** One trading window. `day` is its UTC date; `opensAt` is inclusive, `closesAt` exclusive. */
export type SessionWindow = { readonly day: string; readonly opensAt: Date; readonly closesAt: Date };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** After skipping the hours between sessions, the clock resumes this long before the opening. */
const SKIP_LEAD_MS = 10 * MINUTE_MS;
/** The closing mark is the average of the session's last minute (docs/product.md, section 3). */
const CLOSING_AVERAGE_MS = MINUTE_MS;

/**
 * The session open at a market time, otherwise the next one (docs/product.md, section 3: daily, fixed in UTC). At
 * 17:29:59.999 it is today's, at 17:30 it is tomorrow's.
 *
 * `findSessionWindow(new Date('2026-03-04T17:30:00Z')).day === '2026-03-05'`
 */
export function findSessionWindow(marketAt: Date): SessionWindow {
  const midnight = Math.floor(marketAt.getTime() / DAY_MS) * DAY_MS;
  const today = windowOf(midnight);
  return marketAt < today.closesAt ? today : windowOf(midnight + DAY_MS);
}

/** The first session that closes after both this one's close and the market time: what follows a settled session. */
export function findNextWindow(previous: SessionWindow, marketAt: Date): SessionWindow {
  return findSessionWindow(marketAt > previous.closesAt ? marketAt : previous.closesAt);
}

/** Whether the next session is due: this one then ends without what the exchange has not resolved. */
export const isNextDue = (session: SessionWindow, marketAt: Date): boolean =>
  marketAt >= findNextWindow(session, session.closesAt).opensAt;

/**
 * Where the market clock may skip to while idle: 10 minutes before the opening, or undefined when already there. For an
 * opening at 12:30 and 18:00 of the day before: 12:20.
 */
export function findSkip(session: SessionWindow, marketAt: Date): Date | undefined {
  const target = new Date(session.opensAt.getTime() - SKIP_LEAD_MS);
  return marketAt < target ? target : undefined;
}

/** The minute of the closing average: 17:29:00 to 17:30:00, or the last minute of a recording that ends earlier. */
export function closingMinute(session: SessionWindow, marketAt: Date): { from: Date; to: Date } {
  const to = marketAt < session.closesAt ? marketAt : session.closesAt;
  return { from: new Date(to.getTime() - CLOSING_AVERAGE_MS), to };
}

function windowOf(midnightMs: number): SessionWindow {
  const at = (minute: number) => new Date(midnightMs + minute * MINUTE_MS);
  return {
    day: new Date(midnightMs).toISOString().slice(0, 10),
    opensAt: at(sessionWindowUtc.openMinute),
    closesAt: at(sessionWindowUtc.closeMinute),
  };
}
