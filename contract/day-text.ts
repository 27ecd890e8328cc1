const months = 'January February March April May June July August September October November December'.split(' ');

const monthOf = (day: Date): string => months[day.getUTCMonth()] as string;

/** A day in messages, as on pages: `writeDay('2026-11-03') === '3 Nov 2026'`. By hand: `Intl` takes five times as long. */
export function writeDay(day: string | Date): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${monthOf(date).slice(0, 3)} ${date.getUTCFullYear()}`;
}

/** `writeMonth('2026-03') === 'March 2026'`. */
export const writeMonth = (month: string): string => `${monthOf(new Date(month))} ${month.slice(0, 4)}`;

/** `3 Nov 2026, 14:05 UTC`. */
export const writeMinute = (instant: Date): string =>
  `${writeDay(instant)}, ${instant.toISOString().slice(11, 16)} UTC`;
