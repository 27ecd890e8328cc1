import { t } from '../../api/texts.ts';
import { dateFormat } from './locale.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day in an address, if valid; anything else counts as no filter. `readDay('2026-02-30')` is undefined. */
export function readDay(given: string | null): string | undefined {
  if (given === null || !DAY.test(given)) return undefined;
  const at = Date.parse(`${given}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== given ? undefined : given;
}

const DAY_MS = 86_400_000;

/** `daysBefore('2026-03-04', 3) === '2026-03-01'` */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

const monthOf = (name: string): number =>
  Array.from({ length: 12 }, (_, month) =>
    dateFormat({ timeZone: 'UTC', month: 'long' }).format(Date.UTC(2026, month)).toLowerCase(),
  ).findIndex((month) => month.startsWith(name.toLowerCase()));

/**
 * A day as typed: `3 Nov 2026`, `3 november 2026` or `2026-11-03`. Of all-number forms only the last is accepted: 3/11
 * is ambiguous.
 */
export function parseDay(typed: string): string | undefined {
  const text = typed.trim();
  const [, day = '', name = '', year] = /^(\d{1,2})[ .]*(\p{L}{3,})[ .,]*(\d{4})$/u.exec(text) ?? [];
  if (year === undefined) return readDay(text);
  return readDay(`${year}-${String(monthOf(name) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`);
}

/** Why a period of days, both included, is invalid. */
export const periodError = (from: string | undefined, to: string | undefined): string | undefined =>
  from !== undefined && to !== undefined && to < from ? t`The period ends before it begins.` : undefined;
