/**
 * The words that are looked for, in the form the database keeps those of an entry: lower case, cut at whatever is neither a
 * letter nor a digit. `searchWords('Member:17 anna@mail.test')` is `['member', '17', 'anna', 'mail', 'test']`,
 * `searchWords('...')` is `[]`.
 */
export const searchWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Where a list of entries was left: microseconds since 1970, and id of its last row. */
export type EntryPlace = { readonly atMicros: bigint; readonly id: bigint };

/** As text: `1772625600000000_17`. */
export const writeEntryCursor = ({ atMicros, id }: EntryPlace): string => `${atMicros}_${id}`;

/** Undefined says that the text is no cursor of such a list. */
export function readEntryCursor(cursor: string): EntryPlace | undefined {
  const [, at, id] = /^(\d{15,17})_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { atMicros: BigInt(at), id: BigInt(id) };
}
