/** Further words are ignored: no name has more. */
const MAX_WORDS = 5;

/**
 * Splits a search into prefixes that must all match a word of the name or the Registered Id. The longest, which is the
 * most selective, comes first. `searchWords(' be  Anna ')` is `['Anna', 'be']`
 */
export const searchWords = (search: string): string[] =>
  search
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS);
