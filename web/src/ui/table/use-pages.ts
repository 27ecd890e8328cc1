import type { Paging } from './data-table.tsx';

/**
 * Pages rows that are all loaded: the rows of the current page, and the paging for the table's foot. The state, of
 * `useState` or `useKeptState`, is the number of rows on previous pages.
 */
export function usePages<Row>(
  rows: readonly Row[],
  size: number,
  [asked, setSkipped]: readonly [number, (skipped: number) => void],
): { shown: readonly Row[]; paging: Paging | undefined } {
  // After the list became shorter, the open page may no longer exist.
  const skipped = asked < rows.length ? asked : 0;
  const paging: Paging = {
    skipped,
    total: rows.length,
    onNewer: skipped > 0 ? () => setSkipped(skipped - size) : undefined,
    onEarlier: skipped + size < rows.length ? () => setSkipped(skipped + size) : undefined,
  };
  return { shown: rows.slice(skipped, skipped + size), paging: rows.length > size ? paging : undefined };
}
