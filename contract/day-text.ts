const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day in messages, as on pages: `writeDay('2026-11-03') === '3 Nov 2026'`. */
export const writeDay = (day: string | Date): string => dayFormat.format(new Date(day)).replace('Sept', 'Sep');

/** `writeMonth('2026-03') === 'March 2026'`. */
export const writeMonth = (month: string): string => monthFormat.format(new Date(`${month}-01`));

/** `3 Nov 2026, 14:05 UTC`. */
export const writeMinute = (instant: Date): string =>
  `${writeDay(instant)}, ${instant.toISOString().slice(11, 16)} UTC`;
