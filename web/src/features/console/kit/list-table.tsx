import { Skeleton, Text } from '@mantine/core';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { pollEvery } from '../../../api/poll.ts';
import { Cells, DataTable, type DataTableProps, TableFrame } from '../../../ui/table/data-table.tsx';
import { type ListQuery, LoadError, useLate } from '../../../ui/table/data-table-states.tsx';
import { useRowFocus } from './keys.ts';
import classes from './list-table.module.css';

export type ListTableProps<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'empty' | 'filtered' | 'dense' | 'selected'
> & {
  list: List<Row>;
  /** Without it, the row's id. */
  rowKey?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  onClose?: () => void;
};

const ROW_PX = { dense: 40, full: 48 } as const;
/** So few rows are drawn whole; more are drawn where they can be seen. */
const WHOLE = 60;
const OVERSCAN = 12;
/** How near the end is when more is asked for. */
const NEAR_ROWS = 20;

/** A list of the console: long, dense, moved through by keys. Arrows or j and k move, Enter opens, Escape closes. */
export function ListTable<Row extends object>({ list, rowKey = idOf, ...props }: ListTableProps<Row>) {
  const { query, rows, onEnd } = list;
  return (
    <DataTable
      {...props}
      className={classes.list}
      rows={rows}
      rowKey={rowKey}
      query={query}
      hasMore={onEnd !== undefined}
      failed={<DeskError query={query} />}
      drawRows={(read) => <Rows {...props} rows={read} rowKey={rowKey} onEnd={onEnd} />}
    />
  );
}

export function idOf(row: object): string {
  if (!('id' in row)) throw new Error('rows without an id need a rowKey');
  return String(row.id);
}

type RowsProps<Row> = Omit<ListTableProps<Row>, 'list'> &
  Required<Pick<ListTableProps<Row>, 'rowKey'>> & { rows: readonly Row[]; onEnd: List<Row>['onEnd'] };

function Rows<Row>(props: RowsProps<Row>) {
  const { rows, rowKey, columns, selected, onOpen, onClose, onEnd, dense = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = ROW_PX[dense ? 'dense' : 'full'];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    enabled: rows.length > WHOLE,
  });
  const drawn =
    rows.length > WHOLE ? virtual.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const [first, last] = [drawn[0] ?? 0, drawn.at(-1) ?? -1];

  const { active, setActive } = useRowFocus({
    scroller,
    count: rows.length,
    opened: selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected),
    scrollTo: (index) => rows.length > WHOLE && virtual.scrollToIndex(index),
    onClose,
  });

  // A list that is shorter than its frame never scrolls, so nearness is looked at whenever rows were drawn.
  const isNearEnd = last >= rows.length - NEAR_ROWS;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);

  return (
    // Rows that open take the focus themselves; else the list does, or nobody could scroll it by keys.
    <section className={classes.scroll} ref={scroller} aria-label={props.label} tabIndex={onOpen ? -1 : 0}>
      <TableFrame {...props} role={onOpen && 'grid'} aria-rowcount={onEnd ? -1 : rows.length + 1}>
        <tbody>
          <Gap px={first * rowPx} columns={columns.length} />
          {drawn.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            return (
              <tr
                key={key}
                data-index={index}
                aria-rowindex={index + 2}
                data-selected={key === selected || undefined}
                {...(onOpen && {
                  tabIndex: index === active ? 0 : -1,
                  'aria-selected': key === selected,
                  onFocus: () => setActive(index),
                  onClick: () => onOpen(row),
                  onKeyDown: (event) => {
                    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
                  },
                })}
              >
                <Cells columns={columns} row={row} />
              </tr>
            );
          })}
          <Gap px={(rows.length - 1 - last) * rowPx} columns={columns.length} />
        </tbody>
      </TableFrame>
      {onEnd && (
        <Text role="status" px={20} py={12} fz="xs" c="dimmed">
          Reading on
        </Text>
      )}
    </section>
  );
}

/** In the place of rows that are not drawn. */
function Gap({ px, columns }: { px: number; columns: number }) {
  if (px <= 0) return null;
  return (
    <tr className={classes.gap}>
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}

type Page<Row> = { items: Row[]; next_cursor: string | null };

/** Rows that were read so far, as a table takes them. */
type List<Row> = {
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

/** Still places of what comes, once a person would wonder where it is. */
export function DeskLoading() {
  if (!useLate(true)) return null;
  return (
    <>
      <Skeleton height={92} radius="lg" role="status" aria-label="Loading" />
      <Skeleton height={280} radius="lg" />
    </>
  );
}

type DeskErrorProps = Pick<Parameters<typeof LoadError>[0], 'query'> & { title?: string };

/** What could not be read, with the id of the call for whoever looks into the logs. */
export const DeskError = ({ query, title = 'The list could not be loaded' }: DeskErrorProps) => (
  <LoadError query={query} title={title}>
    {(requestId) => (requestId ? <>In the logs it is {requestId}.</> : 'There was no answer. Check the connection.')}
  </LoadError>
);
