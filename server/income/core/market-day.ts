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
