import { cursorMessage } from '#contract/endpoint.ts';
import { Refused } from './refused.ts';

/** The paging of a list call. */
export type Paging = { readonly cursor?: string | undefined; readonly limit: number };

/** The start of a list in descending id order. */
export const ABOVE_EVERY_ID = 2n ** 63n - 1n;

/**
 * Parses a cursor with `read`; undefined without one, for the first page. Refuses `validation` if the text is no cursor
 * of this list.
 */
export function readCursor<T extends {}>(
  cursor: string | undefined,
  read: (text: string) => T | undefined,
): T | undefined {
  if (cursor === undefined) return undefined;
  const place = read(cursor);
  if (place === undefined) throw new Refused('validation', { field: 'cursor', reason: cursorMessage });
  return place;
}

/** The cursor of a list by id is the last id shown, as decimal text: `readIdCursor('17') === 17n`. */
export const readIdCursor = (cursor: string | undefined): bigint | undefined =>
  readCursor(cursor, (text) => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined));

/** The cursor of a list by day is the last day shown: `readDayCursor('2026-03-04') === '2026-03-04'`. */
export const readDayCursor = (cursor: string | undefined): string | undefined => readCursor(cursor, findDay);

function findDay(text: string): string | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : undefined;
}

/**
 * Cuts `limit + 1` fetched rows into a page. The extra row only indicates that there is a next page. Ids 9, 8, 7 with
 * limit 2: rows 9 and 8, next cursor '8'.
 */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
  cursorOf: (row: T) => bigint | string,
): { rows: T[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last !== undefined ? String(cursorOf(last)) : null };
}
