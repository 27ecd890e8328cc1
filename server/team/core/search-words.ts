/** Further words are ignored: no name has more. */
const MAX_WORDS = 5;

/**
 * Splits a search into prefixes that must all match a word of the name or the Registered Id. The longest, which is the
 * most selective, comes first. `searchWords(' be  Anna ')` is `['Anna', 'be']`, `searchWords('TW7K 3QMX 9D')` is
 * `['TW7K3QMX9D']`
 */
export const searchWords = (search: string): string[] =>
  (isCodeInGroups(search) ? search.replaceAll(/\s/g, '') : search)
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS);

/** With a digit, unlike a name of ten letters. */
const isCodeInGroups = (search: string): boolean =>
  /^TW[A-Z0-9]{8}$/i.test(search.replaceAll(/\s/g, '')) && /\d/.test(search);
