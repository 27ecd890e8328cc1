import type { Session } from '#contract/trading/trading.ts';
import { opensNow } from '../../api/market/opens-now.ts';
import { t } from '../../api/texts.ts';
import { formatDay, formatTime } from '../../ui/format/time.ts';

const DAY_MS = 86_400_000;

const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);

/** The day relative to the market's day: nothing for today, otherwise its name. */
function dayText(instant: Date, marketNow: Date): string {
  const days = (Date.parse(utcDay(instant)) - Date.parse(utcDay(marketNow))) / DAY_MS;
  if (days === 0) return t`today`;
  if (days === 1) return t`tomorrow`;
  return formatDay(instant);
}

/** The day and time of an instant, so many days later. */
function timeText(instant: string, daysLater: number, marketNow: Date): string {
  const at = new Date(Date.parse(instant) + daysLater * DAY_MS);
  return `${dayText(at, marketNow)}, ${formatTime(at)} UTC`;
}

/**
 * When a trade placed now opens and settles, in market time. While a session opens trades, it opens at the next price and
 * settles at the close. Otherwise it waits for the next opening, which is a day after the session's own times once those
 * have passed, that is in an exchange's last minutes and while it settles.
 */
export function settlesWhen(session: Session): { opens: string | null; settles: string } {
  const now = new Date(session.market_time);
  if (opensNow(session)) return { opens: null, settles: timeText(session.closes_at, 0, now) };
  return { opens: nextOpening(session, now), settles: timeText(session.closes_at, daysPast(session, now), now) };
}

/** The next opening in market time; while a session is open or settling, the day after its own. */
export const nextOpening = (session: Session, marketNow: Date): string =>
  timeText(session.opens_at, daysPast(session, marketNow), marketNow);

/** How many days after the session's own opening the next one is. */
const daysPast = (session: Session, marketNow: Date): number =>
  Math.max(0, Math.ceil((marketNow.getTime() - Date.parse(session.opens_at)) / DAY_MS));

/** Whether plans are locked: from the opening until the last trade is settled (docs/product.md, section 3). */
export const isUnderWay = (session: Session): boolean => session.state === 'open' || session.state === 'settling';
