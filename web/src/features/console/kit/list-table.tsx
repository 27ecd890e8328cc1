import { Skeleton, Stack, Text } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type QueryKey, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CallError } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { pollEvery } from '../../../api/query-of.ts';
import { Cells, type Column, DataTable, type DataTableProps, TableFrame } from '../../../ui/table/data-table.tsx';
import { ClearFilter, type ListQuery, LoadError, useLate } from '../../../ui/table/data-table-states.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';
import stacked from '../../../ui/table/stacked.module.css';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { useRowFocus } from './keys.ts';
import pageClasses from './list-page.module.css';
import classes from './list-table.module.css';

export type ListTableProps<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'empty' | 'filtered' | 'dense' | 'selected'
> & {
  list: List<Row>;
  /** By default, the row's id. */
  rowKey?: (row: Row) => string;
  /** Texts break instead of being cut: for a short list whose rows open no detail that shows them. */
  whole?: boolean;
  onOpen?: (row: Row) => void;
  onClose?: () => void;
};

const ROW_PX = { dense: 40, full: 48 } as const;
/** Up to this width, which the browser's text enlarges, columns do not fit side by side. */
const STACKED = '24.3em';
/** What a column without a width needs; emails that break want more. */
const FLUID_PX = { cut: 140, whole: 220 } as const;
/** Longer lists render only the visible rows, and all for a printer. */
const WHOLE = 60;
const OVERSCAN = 12;
/** The distance from the end at which the next page is loaded. */
const NEAR_ROWS = 20;

/** A long list with keyboard navigation: arrows or j and k move, Enter opens, Escape closes. */
export function ListTable<Row extends object>({ list, rowKey = idOf, whole, ...rest }: ListTableProps<Row>) {
  const { query, rows, onEnd } = list;
  const { ref, width } = useWidth();
  const fitting = fittingColumns(rest.columns, width, FLUID_PX[whole ? 'whole' : 'cut']);
  const props = { ...rest, columns: withLeftOut(fitting, rest.columns) };
  return (
    <DataTable
      {...props}
      ref={ref}
      className={`${classes.list} ${whole ? classes.whole : ''}`}
      rows={rows}
      rowKey={rowKey}
      query={query}
      hasMore={onEnd !== undefined}
      failed={<LoadFailed query={query} onClear={props.filtered ? props.filtered.onClear : undefined} />}
      drawRows={(read) => <Rows {...props} rows={read} rowKey={rowKey} onEnd={onEnd} />}
    />
  );
}

/** The width of an element; 0 while it is unknown. */
function useWidth() {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLDivElement) => {
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** The columns without those left out, from the right, until the others fit; all while the width is still unknown. */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  fluidPx: number,
): readonly Column<Row>[] {
  const shown = columns.filter(({ render }) => render !== undefined);
  const needed = shown.reduce((sum, column) => sum + Number.parseFloat(column.width ?? `${fluidPx}`), 0);
  const last = shown.findLast(({ drop }) => drop === 'first') ?? shown.findLast(({ drop }) => drop === 'next');
  if (width === 0 || needed <= width || last === undefined) return shown;
  const others = shown.filter((column) => column !== last);
  return fittingColumns(others, width, fluidPx);
}

/** With what columns that were left out show below another one. */
function withLeftOut<Row>(shown: readonly Column<Row>[], all: readonly Column<Row>[]): readonly Column<Row>[] {
  const texts = all.flatMap((column) => (column.below && !shown.includes(column) ? [column.below] : []));
  const place = shown.find(({ width }) => width === undefined);
  if (texts.length === 0) return shown;
  const render = (row: Row) => (
    <>
      {place?.render?.(row)}
      {texts.map((text) => {
        const below = text(row);
        return below && <small key={String(below)}>{below}</small>;
      })}
    </>
  );
  return shown.map((column) => (column === place ? { ...column, render } : column));
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
  const isPrinted = useIsPrinted();
  const isPartial = rows.length > WHOLE && !isPrinted;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    enabled: isPartial,
  });
  const items = virtual.getVirtualItems();
  const drawn = isPartial ? items.map(({ index }) => index) : rows.map((_, index) => index);
  const last = drawn.at(-1) ?? -1;
  const isStacked = useNarrow(STACKED);

  const { active, setActive } = useRowFocus({
    scroller,
    count: rows.length,
    opened: selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected),
    isOpen: selected !== undefined,
    scrollTo: (index) => isPartial && virtual.scrollToIndex(index),
    onClose,
  });

  // A list shorter than its frame never scrolls, so this is checked whenever rows were rendered.
  const isNearEnd = !isPrinted && last >= rows.length - NEAR_ROWS;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);

  return (
    // Where rows do not open, the list itself takes the focus, so that keys can scroll it.
    <section className={classes.scroll} ref={scroller} aria-label={props.label} tabIndex={onOpen ? -1 : 0}>
      <TableFrame
        {...props}
        tableClass={isStacked ? stacked.stacked : undefined}
        role={onOpen && 'grid'}
        aria-rowcount={onEnd ? -1 : rows.length + 1}
      >
        <tbody>
          <Gap px={items[0]?.start ?? 0} />
          {drawn.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            return (
              <tr
                key={key}
                ref={isPartial ? virtual.measureElement : null}
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
          <Gap px={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </TableFrame>
      {onEnd && (
        <Text role="status" px={20} py={12} fz="xs" c="dimmed">
          Loading more
        </Text>
      )}
    </section>
  );
}

/** While the page is being printed: what it shows then is rendered before the event has ended. */
function useIsPrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const follow = ({ type }: Event) => flushSync(() => setPrinted(type === 'beforeprint'));
    window.addEventListener('beforeprint', follow);
    window.addEventListener('afterprint', follow);
    return () => {
      window.removeEventListener('beforeprint', follow);
      window.removeEventListener('afterprint', follow);
    };
  }, []);
  return isPrinted;
}

/** Replaces rows that are not rendered; one cell, as more would create columns where some are hidden. */
function Gap({ px }: { px: number }) {
  if (px <= 0) return null;
  return (
    <tr className={classes.gap}>
      <td style={{ height: px }} />
    </tr>
  );
}

type Page<Row> = { items: Row[]; next_cursor: string | null; more?: boolean };

/** The rows loaded so far. */
type List<Row> = {
  query: ListQuery;
  rows: readonly Row[] | undefined;
  /** Loads the next page; given while there is one. */
  onEnd?: (() => void) | undefined;
  /** A search matches more rows than its pages give. */
  hasMore?: boolean;
};

type ListOptions<Row> = {
  queryKey: QueryKey;
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<Row>>;
  /** Polling interval of a short list; without it, it is only reloaded after a change. */
  pollMs?: number;
  enabled?: boolean;
};

const PAGE_ROWS = '100';
/** A longer list is not polled. */
const POLLED_PAGES = 2;

/** A list of the console, loaded 100 rows at a time as it is scrolled. */
export function useList<Row>({ queryKey, readPage, pollMs, enabled = true }: ListOptions<Row>): List<Row> {
  const query = useInfiniteQuery({
    queryKey: ['operator', ...queryKey],
    queryFn: ({ signal, pageParam }) =>
      readPage(pageParam === undefined ? { limit: PAGE_ROWS } : { limit: PAGE_ROWS, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (query) =>
      pollMs === undefined || (query.state.data?.pages.length ?? 0) > POLLED_PAGES ? false : pollEvery(pollMs)(query),
    enabled,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const readMore = useCallback(() => {
    if (!isFetching && !isError) void fetchNextPage();
  }, [isFetching, isError, fetchNextPage]);
  const hasMore = data?.pages.some(({ more }) => more) ?? false;
  return { query, rows, onEnd: hasNextPage ? readMore : undefined, hasMore };
}

/** Placeholders, once loading takes noticeably long. */
export function PageLoading() {
  const isLate = useLate(true);
  return (
    <Stack className={pageClasses.loading ?? ''} gap="md" flex="none">
      {isLate && (
        <>
          <Skeleton height={92} radius="lg" role="status" aria-label="Loading" />
          <Skeleton height={280} radius="lg" />
        </>
      )}
    </Stack>
  );
}

type LoadFailedProps = Pick<Parameters<typeof LoadError>[0], 'query'> & {
  title?: string;
  /** Clears the filter that may be invalid. */
  onClear?: (() => void) | undefined;
};

/** What could not be loaded, with the request id for a search in the logs. An invalid filter says why; a retry would not help. */
export function LoadFailed({ query, title = 'The list could not be loaded', onClear }: LoadFailedProps) {
  const [refusal] = query.error instanceof CallError ? Object.values(query.error.fields) : [];
  if (refusal !== undefined) {
    return (
      <ListState
        error
        icon={IconFilter}
        title="Change the filter"
        action={onClear && <ClearFilter onClear={onClear} />}
      >
        {refusal}
      </ListState>
    );
  }
  return (
    <LoadError query={query} title={title}>
      {(requestId) => (requestId ? <>Request id {requestId}.</> : 'The server did not answer. Check your connection.')}
    </LoadError>
  );
}

type LoadedProps<T> = { query: UseQueryResult<T>; title: string; children: (data: T) => ReactNode };

/** What a query has read, with placeholders before and the error if it failed. */
export function Loaded<T>({ query, title, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <LoadFailed query={query} title={title} /> : <PageLoading />;
}

/** For one record, as `what="ticket"`: an unknown one is reported as not found, without a retry. */
export const OneFailed = ({ query, what }: Pick<LoadFailedProps, 'query'> & { what: string }) =>
  query.error instanceof CallError && [404, 422].includes(query.error.status) ? (
    <Missing what={what} />
  ) : (
    <LoadFailed query={query} title={`The ${what} could not be loaded`} />
  );

export const Missing = ({ what }: { what: string }) => (
  <Text size="sm" px={20} pb="md" c="var(--tw-text-2)">
    No {what} at this address.
  </Text>
);
