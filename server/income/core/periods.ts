export type PeriodKind = 'weekly' | 'monthly';

/** A week or a month of market time: from `startsOn` to `endsOn`, exclusive. */
export type Period = { readonly kind: PeriodKind; readonly startsOn: string; readonly endsOn: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Monday 0 to Sunday 6. */
const weekday = (ms: number): number => (new Date(ms).getUTCDay() + 6) % 7;

/** `addDays('2026-03-01', -1) === '2026-02-28'` */
export const addDays = (day: string, days: number): string => toDay(toMs(day) + days * DAY_MS);

/**
 * The week of a market day, Monday to Sunday (docs/product.md, section 6). Wednesday 2026-03-04 is in the week from
 * 2026-03-02 to 2026-03-09.
 */
export function weekOf(day: string): Period {
  const startsOn = addDays(day, -weekday(toMs(day)));
  return { kind: 'weekly', startsOn, endsOn: addDays(startsOn, 7) };
}

/** The calendar month of a market day: 2026-03-04 is in the one from 2026-03-01 to 2026-04-01. */
export function monthOf(day: string): Period {
  const startsOn = `${day.slice(0, 7)}-01`;
  // Day 32 of any month is in the next one.
  return { kind: 'monthly', startsOn, endsOn: `${addDays(startsOn, 31).slice(0, 7)}-01` };
}

export const periodOf = (kind: PeriodKind, day: string): Period => (kind === 'weekly' ? weekOf(day) : monthOf(day));

/**
 * The name of the ISO week that begins on a Monday; it belongs to the year of its Thursday.
 * `weekName('2026-03-02') === '2026-W10'`, `weekName('2024-12-30') === '2025-W01'`
 */
export function weekName(startsOn: string): string {
  const thursday = addDays(startsOn, 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((toMs(thursday) - toMs(`${year}-01-01`)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** `monthName('2026-03-01') === '2026-03'` */
export const monthName = (startsOn: string): string => startsOn.slice(0, 7);

/** The last day of a period: of the week from 2026-03-02 it is 2026-03-08. */
export const lastDay = ({ endsOn }: Pick<Period, 'endsOn'>): string => addDays(endsOn, -1);

/** The first instant after a period, when it can be paid. */
export const paysAt = ({ endsOn }: Pick<Period, 'endsOn'>): Date => new Date(toMs(endsOn));

/** The id of a period in the API: its first day without dashes. `periodId('2026-03-02') === '20260302'` */
export const periodId = (startsOn: string): string => startsOn.replaceAll('-', '');

/**
 * The first day of the period with an id; undefined for an invalid day, or one on which no period of this kind begins.
 * `findStart('weekly', '20260302') === '2026-03-02'`; `20260303` is a Tuesday.
 */
export function findStart(kind: PeriodKind, id: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(id);
  if (parts === null) return undefined;
  const day = parts.slice(1).join('-');
  return isMarketDay(day) && periodOf(kind, day).startsOn === day ? day : undefined;
}

/**
 * Members who traded after this day are active at the close of a session (docs/product.md, section 6): `(T − 30 days,
 * T]`.
 */
export const activeAfter = (sessionDay: string): string => addDays(sessionDay, -30);

/**
 * Whether a member whose last settled trade was in `lastTradedOn` is active as of a session. As of 2026-03-31 a trade
 * of 2026-03-02 counts, and one of 2026-03-01 does not. Nobody is active before the first session.
 */
export const isActiveAt = (sessionDay: string | undefined, lastTradedOn: string | null | undefined): boolean =>
  sessionDay !== undefined &&
  lastTradedOn !== null &&
  lastTradedOn !== undefined &&
  lastTradedOn > activeAfter(sessionDay);

/** The first market day: keeps callers' days within the range of the database. */
const FIRST_DAY = '1970-01-01';

/**
 * Whether a text is a market day: `isMarketDay('2026-03-04')`, but not `'2026-02-30'`, `'0001-01-01'` or `'4 March'`.
 */
export function isMarketDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Clamps a caller's day to the first market day: `0001-01-01` becomes `1970-01-01`. */
export const boundDay = (day: string): string => (day < FIRST_DAY ? FIRST_DAY : day);
