import { hasNoControl } from '#contract/endpoint.ts';
import type { TeamSort } from '#contract/team.ts';

/** Sort orders whose values are not unique, so that a cursor needs a value and an id. */
export type ValueSort = Exclude<TeamSort, 'joined'>;
/** The last member shown, with its sort value. */
export type SortCursor = { readonly value: string; readonly id: bigint };

/**
 * Length of the prefix of a name used for sorting; members with the same prefix are sorted by id. A longer one would
 * not fit into a cursor of 200 characters.
 */
export const ORDERED_LETTERS = 30;

const FORM = /^(name|volume|team)\n([1-9]\d{0,17})\n(.+)$/s;
const AMOUNT = /^\d{1,18}$/;

/** `readSortCursor('name', writeSortCursor('name', { value: 'anna', id: 17n }))` is the same cursor. */
export const writeSortCursor = (sort: ValueSort, { value, id }: SortCursor): string =>
  base64Url(`${sort}\n${id}\n${value}`);

/** Undefined for a text that is not a cursor of this sort order. */
export function readSortCursor(sort: ValueSort, cursor: string): SortCursor | undefined {
  const [, ofSort, id, value] = FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (ofSort !== sort || id === undefined || value === undefined) return undefined;
  const isValue = sort === 'name' ? hasNoControl(value) : AMOUNT.test(value);
  const parsed = { value, id: BigInt(id) };
  // Accepts only the canonical form.
  return isValue && writeSortCursor(sort, parsed) === cursor ? parsed : undefined;
}

const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
