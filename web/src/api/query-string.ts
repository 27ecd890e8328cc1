export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * A query string with its question mark, or nothing; null and undefined values are dropped (the specification, point
 * 7).
 * `queryString({ state: 'open', cursor: null }) === '?state=open'`
 */
export function queryString(values: QueryValues | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== null && value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
