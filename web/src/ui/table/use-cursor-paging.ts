import { useState } from 'react';
import type { Paging } from './data-table.tsx';

type Page = { items: readonly unknown[]; next_cursor: string | null; total?: number | undefined };

/**
 * Paging by cursor: `cursor` goes into the query, `pagingOf(page)` into the table. Cursors lead only onwards, so those
 * behind are remembered. Call `reset` when a filter changes.
 */
export function useCursorPaging() {
  const [past, setPast] = useState<readonly { cursor: string; skipped: number }[]>([]);
  const here = past.at(-1);

  const pagingOf = (page: Page | undefined): Paging => {
    const skipped = here?.skipped ?? 0;
    const next = page?.next_cursor ?? undefined;
    return {
      skipped,
      total: page?.total,
      onNewer: here ? () => setPast(past.slice(0, -1)) : undefined,
      onEarlier:
        page && next !== undefined
          ? () => setPast([...past, { cursor: next, skipped: skipped + page.items.length }])
          : undefined,
    };
  };

  return { cursor: here?.cursor, pagingOf, reset: () => setPast([]) };
}
