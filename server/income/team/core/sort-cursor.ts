import { hasNoControl } from '#contract/endpoint.ts';
import type { TeamSort } from '#contract/team.ts';

/** Orders in which many members share a value, so that a place is a value and an id. */
export type ValueSort = Exclude<TeamSort, 'joined'>;
/** The last member shown, with what the list is ordered by. */
export type SortPlace = { readonly value: string; readonly id: bigint };

/**
 * Of a name so many letters take part in the order; members who have them in common follow in the order of their ids. More
 * would not fit into a cursor, which has 200 characters.
 */
export const ORDERED_LETTERS = 30;

const FORM = /^(name|volume|team)\n([1-9]\d{0,17})\n(.+)$/s;
const AMOUNT = /^\d{1,18}$/;

/** `readSortCursor('name', writeSortCursor('name', { value: 'anna', id: 17n }))` is that place again. */
export const writeSortCursor = (sort: ValueSort, { value, id }: SortPlace): string =>
  base64Url(`${sort}\n${id}\n${value}`);

/** Undefined says that the text is no cursor of a list in this order. */
export function readSortCursor(sort: ValueSort, cursor: string): SortPlace | undefined {
  const [, ofSort, id, value] = FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (ofSort !== sort || id === undefined || value === undefined) return undefined;
  const isValue = sort === 'name' ? hasNoControl(value) : AMOUNT.test(value);
  const place = { value, id: BigInt(id) };
  // What was not written here does not come out the same when it is written again.
  return isValue && writeSortCursor(sort, place) === cursor ? place : undefined;
}

const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
