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
 * the close; outside one it waits for the next opening.
 */
export function settlesWhen(session: Session, marketNow: Date): { opens: string | null; settles: string } {
  const opensAt = new Date(session.opens_at);
  const closesAt = new Date(session.closes_at);
  const settles = `${dayWords(closesAt, marketNow)}, ${formatTime(closesAt)} UTC`;
  if (session.state === 'open') return { opens: null, settles };
  if (session.state === 'closed') return { opens: `${dayWords(opensAt, marketNow)}, ${formatTime(opensAt)} UTC`, settles };
  // While a session settles its own times are the past ones; the next session is the following day's.
  const nextOpening = new Date(opensAt.getTime() + DAY_MS);
  const nextClosing = new Date(closesAt.getTime() + DAY_MS);
  return {
    opens: `${dayWords(nextOpening, marketNow)}, ${formatTime(nextOpening)} UTC`,
    settles: `${dayWords(nextClosing, marketNow)}, ${formatTime(nextClosing)} UTC`,
  };
}
