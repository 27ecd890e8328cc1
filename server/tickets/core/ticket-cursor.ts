/** Where a list that runs down instants and ids was left: instant in milliseconds and id of its last row. */
export type TicketPlace = { readonly at: Date; readonly id: bigint };

/**
 * The cursor of a list of tickets as text. Undefined input is the beginning; null says that the text is no cursor of such
 * a list. `readTicketCursor('1772625600000_17')` is 2026-03-04 12:00 and 17.
 */
export function readTicketCursor(cursor: string | undefined): TicketPlace | undefined | null {
  if (cursor === undefined) return undefined;
  const [, at, id] = /^(\d{12,14})_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? null : { at: new Date(Number(at)), id: BigInt(id) };
}

/** Cuts rows that were asked for with one more than `limit` into a page. The extra row only says that there is a next page. */
export function cutTickets<T>(
  rows: readonly T[],
  limit: number,
  placeOf: (row: T) => TicketPlace,
): { rows: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: shown, nextCursor: null };
  const { at, id } = placeOf(last);
  return { rows: shown, nextCursor: `${at.getTime()}_${id}` };
}
