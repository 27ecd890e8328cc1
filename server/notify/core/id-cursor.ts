const ABOVE_EVERY_ID = 9_223_372_036_854_775_807n;

/**
 * The cursor of a list, newest id first, is the last id shown, as decimal text: the page after it has ids below.
 * Without one the list begins, above every id. Null says that the text is no cursor of such a list.
 * `readIdCursor('17') === 17n`, `readIdCursor('x') === null`
 */
export function readIdCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined) return ABOVE_EVERY_ID;
  return /^[1-9]\d{0,17}$/.test(cursor) ? BigInt(cursor) : null;
}

/**
 * Cuts rows that were asked for with one more than `limit` into a page. The extra row only says that there is a next
 * page. Of ids 9, 8, 7 with limit 2: items 9 and 8, next cursor '8'.
 */
export function cutPage<T extends { readonly id: bigint }>(
  rows: readonly T[],
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? last.id.toString() : null };
}
