import { useState } from 'react';
import type { Paging } from './data-table.tsx';

/** Pages rows that are all loaded: the rows of the current page, and the paging for the table's foot. */
export function usePages<Row>(
  rows: readonly Row[],
  size: number,
): { shown: readonly Row[]; paging: Paging | undefined } {
  const [asked, setSkipped] = useState(0);
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
