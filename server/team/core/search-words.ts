/** More words than a name has are not looked for. */
const MOST_WORDS = 5;

/**
 * The words of a search, each of which must begin a word of the name or the Registered Id; the longest, which finds the fewest,
 * first. `searchWords(' be  Anna ')` is `['Anna', 'be']`
 */
export const searchWords = (search: string): string[] =>
  search
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_WORDS);
