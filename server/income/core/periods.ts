export type PeriodKind = 'weekly' | 'monthly';

/** A week or a month of market time: from its first day, included, to the first day of the next one. */
export type Period = { readonly kind: PeriodKind; readonly startsOn: string; readonly endsOn: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Monday 0 to Sunday 6. */
const weekday = (ms: number): number => (new Date(ms).getUTCDay() + 6) % 7;

/** `addDays('2026-03-01', -1) === '2026-02-28'` */
export const addDays = (day: string, days: number): string => toDay(toMs(day) + days * DAY_MS);

/**
 * The week a market day is in, Monday to Sunday (docs/product.md, section 6). Wednesday 2026-03-04 is in the week from
 * 2026-03-02 to 2026-03-09.
 */
export function weekOf(day: string): Period {
  const startsOn = addDays(day, -weekday(toMs(day)));
  return { kind: 'weekly', startsOn, endsOn: addDays(startsOn, 7) };
}

/** The calendar month a market day is in: 2026-03-04 is in the one from 2026-03-01 to 2026-04-01. */
export function monthOf(day: string): Period {
  const startsOn = `${day.slice(0, 7)}-01`;
  // Day 32 of any month is in the next one.
  return { kind: 'monthly', startsOn, endsOn: `${addDays(startsOn, 31).slice(0, 7)}-01` };
}

export const periodOf = (kind: PeriodKind, day: string): Period => (kind === 'weekly' ? weekOf(day) : monthOf(day));

/**
 * The name of the ISO week that begins on a Monday: it belongs to the year that has its Thursday.
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

/** The first instant after a period, from which on it can be paid. */
export const paysAt = ({ endsOn }: Pick<Period, 'endsOn'>): Date => new Date(toMs(endsOn));

/** The id under which a period is asked for: its first day without the dashes. `periodId('2026-03-02') === '20260302'` */
export const periodId = (startsOn: string): string => startsOn.replaceAll('-', '');

/**
 * The first day of the period with an id, or undefined when no period of this kind has it: no such day, or a day on which none
 * begins. `findStart('weekly', '20260302') === '2026-03-02'`; `20260303` is a Tuesday.
 */
export function findStart(kind: PeriodKind, id: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(id);
  if (parts === null) return undefined;
  const day = parts.slice(1).join('-');
  return isMarketDay(day) && periodOf(kind, day).startsOn === day ? day : undefined;
}

/** Who traded after this day is active at the close of a session (docs/product.md, section 6): `(T − 30 days, T]`. */
export const activeAfter = (sessionDay: string): string => addDays(sessionDay, -30);

/**
 * Whether somebody whose last settled trade was in one session is active as of another. As of 2026-03-31 a trade of 2026-03-02
 * counts, and one of 2026-03-01 does not. Nobody is active before there was a session.
 */
export const isActiveAt = (sessionDay: string | undefined, lastTradedOn: string | null | undefined): boolean =>
  sessionDay !== undefined &&
  lastTradedOn !== null &&
  lastTradedOn !== undefined &&
  lastTradedOn > activeAfter(sessionDay);

/** Before this there is no market day: it keeps what a caller writes within the days a database knows. */
const FIRST_DAY = '1970-01-01';

/** Whether a text is a market day: `isMarketDay('2026-03-04')`, but not `'2026-02-30'`, `'0001-01-01'` or `'4 March'`. */
export function isMarketDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** A bound of a period that a caller wrote: `0001-01-01` bounds as `1970-01-01` does. */
export const boundDay = (day: string): string => (day < FIRST_DAY ? FIRST_DAY : day);
