const ID = /^[1-9]\d{0,17}$/;

/** The cursor of a list that goes by id is the id of the last row shown: `readIdCursor('17') === 17n`. */
export function readIdCursor(cursor: string | undefined): bigint | undefined | 'refused' {
  if (cursor === undefined) return undefined;
  return ID.test(cursor) ? BigInt(cursor) : 'refused';
}
