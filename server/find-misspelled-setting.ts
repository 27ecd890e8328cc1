/** Shorter names are too near to those of others: HOST and POST. */
const MIN_LENGTH = 8;

/** What other programs of a machine are often set by. */
const OTHERS: ReadonlySet<string> = new Set(['LOGLEVEL', 'DATADIR']);

/**
 * The first name that is not a setting but was probably meant as one, with that setting: one character missing, added,
 * replaced or swapped with the next, in lower case, or with the name of the product before it.
 *
 * `findMisspelled(['PATH', 'DATABASE_ULR'], ['DATABASE_URL'])` is `{ name: 'DATABASE_ULR', meant: 'DATABASE_URL' }`;
 * `DATABASE_SSL` is another program's.
 */
export function findMisspelled(
  names: readonly string[],
  settings: readonly string[],
): { readonly name: string; readonly meant: string } | undefined {
  const long = settings.filter((setting) => setting.length >= MIN_LENGTH);
  for (const name of names) {
    if (settings.includes(name) || OTHERS.has(name)) continue;
    const plain = name.toUpperCase().replace(/^TRADEWIND_/, '');
    const meant = long.find((setting) => isNear(plain, setting));
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

function isNear(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
