import { dateFormat } from './locale.ts';
import { thisYear } from './this-year.ts';

type Instant = Date | string | number;

/** British English writes "Sept" where other months have three letters, and text search does not match thin spaces. */
const tidy = (text: string) => text.replace(/(Sep)t\b/g, '$1').replace(/[\u2009\u202f]/g, ' ');

const inUtc = (at: Instant, options: Intl.DateTimeFormatOptions): string =>
  tidy(dateFormat({ timeZone: 'UTC', ...options }).format(new Date(at)));

const dayMonth = { day: 'numeric', month: 'short' } as const;

/** `4 Mar 2026`, in UTC. */
export const formatDate = (at: Instant): string => inUtc(at, { ...dayMonth, year: 'numeric' });

const yearOf = (at: Instant): number => new Date(at).getUTCFullYear();
const isThisYear = (at: Instant): boolean => yearOf(at) === thisYear();

/** `4 Mar`, in UTC; with its year if that is not the current one: `4 Mar 2025`. */
export const formatDay = (at: Instant): string => (isThisYear(at) ? inUtc(at, dayMonth) : formatDate(at));

/** Days of a time axis, with the year where another one than the current begins: `2 Nov 2025`, `4 Mar`. */
export const formatAxisDays = (ats: readonly number[]): string[] =>
  ats.map((at, index) => {
    const before = ats[index - 1];
    return before !== undefined && yearOf(before) === yearOf(at) ? inUtc(at, dayMonth) : formatDay(at);
  });

/** `Mon 9 Mar`, in UTC. */
export const formatShortWeekday = (at: Instant): string =>
  inUtc(at, { ...dayMonth, weekday: 'short' }).replace(',', '');

/** A range of days, both included: `23 Feb – 1 Mar`, `16 – 22 Feb`; of another year `16 – 22 Feb 2025`. */
export function formatDays(from: Instant, to: Instant): string {
  const options = isThisYear(from) && isThisYear(to) ? dayMonth : ({ ...dayMonth, year: 'numeric' } as const);
  return tidy(dateFormat({ timeZone: 'UTC', ...options }).formatRange(new Date(from), new Date(to)));
}

/** `March 2026` of `2026-03`. */
export const formatMonth = (yearMonth: string): string => inUtc(`${yearMonth}-01`, { month: 'long', year: 'numeric' });

/** `14:05`, in UTC; show "UTC" beside it or in the head of the column. */
export const formatTime = (at: Instant): string => inUtc(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `14:05:09`, in UTC. */
export const formatSeconds = (at: Instant): string => `${formatTime(at)}:${new Date(at).toISOString().slice(17, 19)}`;

/** `4 Mar 2026, 14:05 UTC`. */
export const formatDateTime = (at: Instant): string => `${formatDate(at)}, ${formatTime(at)} UTC`;

/** `4 Mar, 14:05`, for table cells under a head that says UTC; of another year `4 Mar 2025, 14:05`. */
export const formatShortDateTime = (at: Instant): string => `${formatDay(at)}, ${formatTime(at)}`;

/** `2026-03-04 14:05 UTC`, as the mode label shows market time. */
export const formatMarketTime = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 10)} ${formatTime(at)} UTC`;

const longDate = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** `4 March 2026`, in UTC. */
export const formatLongDate = (at: Instant): string => inUtc(at, longDate);

/** `Wednesday, 4 March 2026`, in UTC. */
export const formatWeekday = (at: Instant): string => inUtc(at, { weekday: 'long', ...longDate });

/** The viewer's city as named by their time zone: `Dubai`. */
export const localPlace = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string =>
  (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** `4:30 – 9:30 PM` in the viewer's own time zone or another; show the city beside it. */
export const formatLocalHours = (from: Instant, to: Instant, timeZone?: string): string =>
  tidy(
    dateFormat({ hour: 'numeric', minute: '2-digit', hour12: true, timeZone }).formatRange(
      new Date(from),
      new Date(to),
    ),
  ).toUpperCase();

/** `3:24:51`, below an hour `9:18`; never below zero. Whole seconds, rounded up, so that 0:00 means over. */
export function formatCountdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** The time of day, with its day where that is another one: on `2026-03-04` `14:05`, on `2026-03-05` `4 Mar, 14:05`. */
export const formatTimeOn = (day: string, at: string): string =>
  at.startsWith(day) ? formatTime(at) : formatShortDateTime(at);
