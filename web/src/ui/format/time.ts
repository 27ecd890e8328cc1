const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });

const dayMonth = part({ day: 'numeric', month: 'short' });
const dayMonthYear = part({ day: 'numeric', month: 'short', year: 'numeric' });
const weekday = part({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortWeekday = part({ weekday: 'short', day: 'numeric', month: 'short' });
const month = part({ month: 'long', year: 'numeric' });
const clock = part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

type Instant = Date | string | number;
// British English writes "Sept" where the other months have three letters.
const three = (text: string) => text.replace('Sept', 'Sep');

/** `4 Mar 2026`, in UTC. */
export const formatDate = (at: Instant): string => three(dayMonthYear.format(new Date(at)));

/** `4 Mar`, in UTC. */
export const formatDay = (at: Instant): string => three(dayMonth.format(new Date(at)));

/** `Mon 9 Mar`, in UTC. */
export const formatShortWeekday = (at: Instant): string => three(shortWeekday.format(new Date(at))).replace(',', '');

/** Days from one to another, both included: `23 Feb to 1 Mar`, `16 to 22 Feb`. */
export const formatDays = (from: Instant, to: Instant): string => {
  const [first, last] = [formatDay(from), formatDay(to)];
  return first.endsWith(last.slice(-4)) ? `${first.slice(0, -4)} to ${last}` : `${first} to ${last}`;
};

/** `March 2026` of `2026-03`. */
export const formatMonth = (yearMonth: string): string => month.format(new Date(`${yearMonth}-01`));

/** `14:05`, in UTC; the word UTC belongs beside it or in the head of the column. */
export const formatTime = (at: Instant): string => clock.format(new Date(at));

/** `4 Mar 2026, 14:05 UTC`. */
export const formatDateTime = (at: Instant): string => `${formatDate(at)}, ${formatTime(at)} UTC`;

/** `4 Mar, 14:05`, for table cells under a head that says UTC. */
export const formatShortDateTime = (at: Instant): string => `${formatDay(at)}, ${formatTime(at)}`;

/** `2026-03-04 14:05 UTC`, as the mode label shows market time. */
export const formatMarketTime = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 10)} ${formatTime(at)} UTC`;

/** `Wednesday, 4 March 2026`, in UTC. */
export const formatLongDate = (at: Instant): string => weekday.format(new Date(at)).replace(/^(\w+) /, '$1, ');

/** The viewer's place as their time zone names it: `Dubai`. */
export const localPlace = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string =>
  (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** `4:30 PM to 9:30 PM` in the viewer's own time; its place stands beside it. */
export function formatLocalHours(from: Instant, to: Instant, zone?: string): string {
  const local = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    ...(zone ? { timeZone: zone } : {}),
  });
  const text = (at: Instant) => local.format(new Date(at)).replaceAll('\u202f', ' ');
  return `${text(from)} to ${text(to)}`;
}

/** `3:24:51`, below an hour `9:18`; never below zero. Whole seconds, rounded up, so that 0:00 means over. */
export function formatCountdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
