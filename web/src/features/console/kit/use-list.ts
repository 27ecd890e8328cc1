import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { ListQuery } from '../../../ui/table/data-table-states.tsx';

type Page<Row> = { items: Row[]; next_cursor: string | null };

/** Rows that were read so far, as a table takes them. */
export type List<Row> = {
  query: ListQuery;
  rows: readonly Row[] | undefined;
  /** Reads on; given while there is more. Called when the end comes near. */
  onEnd?: (() => void) | undefined;
};

type Asked<Row> = {
  queryKey: QueryKey;
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<Row>>;
  /** How often it is asked again while it is short; without it, only when somebody changes something. */
  pollMs?: number;
  enabled?: boolean;
};

const PAGE_ROWS = '100';
/** A list that was read on further than this is not asked for again as a whole every few seconds. */
const POLLED_PAGES = 2;

/** A list of the console, read on as it is scrolled: 100 rows at a time. */
export function useList<Row>({ queryKey, readPage, pollMs, enabled = true }: Asked<Row>): List<Row> {
  const query = useInfiniteQuery({
    queryKey: ['operator', ...queryKey],
    queryFn: ({ signal, pageParam }) =>
      readPage(pageParam === undefined ? { limit: PAGE_ROWS } : { limit: PAGE_ROWS, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (asked) =>
      pollMs === undefined || (asked.state.data?.pages.length ?? 0) > POLLED_PAGES ? false : pollEvery(pollMs)(asked),
    enabled,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const readOn = useCallback(() => {
    if (!isFetching && !isError) void fetchNextPage();
  }, [isFetching, isError, fetchNextPage]);
  return { query, rows, onEnd: hasNextPage ? readOn : undefined };
}
