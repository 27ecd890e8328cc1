import type { Session } from '#contract/trading.ts';
import { formatDay, formatTime } from '../../shared/format/time.ts';

const DAY_MS = 86_400_000;

const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);

/** The day as seen from the market's day: nothing to add for today, else its name. */
function dayWords(instant: Date, marketNow: Date): string {
  const days = (Date.parse(utcDay(instant)) - Date.parse(utcDay(marketNow))) / DAY_MS;
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  return formatDay(instant);
}

/**
 * When a trade placed now opens and settles, in market time. In a session it opens at the next price and settles at
 * the close. Outside one it waits for the next opening, which is a day later than the session's own times once those
 * are past: while it settles.
 */
export function settlesWhen(session: Session, marketNow: Date): { opens: string | null; settles: string } {
  const isOpen = session.state === 'open';
  const passed = isOpen ? 0 : Math.ceil((marketNow.getTime() - Date.parse(session.opens_at)) / DAY_MS);
  const words = (instant: string) => {
    const at = new Date(Date.parse(instant) + Math.max(0, passed) * DAY_MS);
    return `${dayWords(at, marketNow)}, ${formatTime(at)} UTC`;
  };
  return { opens: isOpen ? null : words(session.opens_at), settles: words(session.closes_at) };
}
