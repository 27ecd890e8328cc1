/**
 * The cursor of a list that runs along the ids is the last id shown, as decimal text. Undefined input is the beginning; null
 * says that the text is no cursor of such a list. `readIdCursor('17') === 17n`, `readIdCursor('x') === null`
 */
export function readIdCursor(cursor: string | undefined): bigint | undefined | null {
  if (cursor === undefined) return undefined;
  return /^[1-9]\d{0,17}$/.test(cursor) ? BigInt(cursor) : null;
}

/**
 * Cuts rows that were asked for with one more than `limit` into a page. The extra row only says that there is a next page.
 * Of ids 9, 8, 7 with limit 2: rows 9 and 8, next cursor '8'.
 */
export function cutPage<T extends { readonly id: bigint }>(
  rows: readonly T[],
  limit: number,
): { rows: readonly T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last !== undefined ? last.id.toString() : null };
}
