import type { Session } from '#contract/trading.ts';

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `utcTime(…12:30Z) === '12:30 UTC'` */
export const utcTime = (instant: Date | string) => `${time.format(new Date(instant))} UTC`;

const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);

/** The day as seen from the market's day: nothing to add for today, else its name. */
function dayWords(instant: Date, marketNow: Date): string {
  const days = (Date.parse(utcDay(instant)) - Date.parse(utcDay(marketNow))) / 86_400_000;
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  return day.format(instant);
}

/**
 * When a trade placed now opens and settles, in market time. In a session it opens at the next price and settles at
 * the close; outside one it waits for the next opening.
 */
export function settlesWhen(session: Session, marketNow: Date): { opens: string | null; settles: string } {
  const opensAt = new Date(session.opens_at);
  const closesAt = new Date(session.closes_at);
  const settles = `${dayWords(closesAt, marketNow)}, ${utcTime(closesAt)}`;
  if (session.state === 'open') return { opens: null, settles };
  if (session.state === 'closed') return { opens: `${dayWords(opensAt, marketNow)}, ${utcTime(opensAt)}`, settles };
  // While a session settles its own times are the past ones; the next session is the following day's.
  const nextOpening = new Date(opensAt.getTime() + 86_400_000);
  const nextClosing = new Date(closesAt.getTime() + 86_400_000);
  return {
    opens: `${dayWords(nextOpening, marketNow)}, ${utcTime(nextOpening)}`,
    settles: `${dayWords(nextClosing, marketNow)}, ${utcTime(nextClosing)}`,
  };
}
