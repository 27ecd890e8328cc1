import { Button, Group, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, type Ref, useState } from 'react';
import { Link, type To } from 'react-router';
import type { CsvCell } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { formatCount } from '../format/number.ts';
import { useNarrow } from '../use-narrow.ts';
import classes from './data-table.module.css';
import {
  type Empty,
  EmptyList,
  type Filtered,
  type ListQuery,
  LoadingRows,
  StaleLine,
  TableError,
  useLate,
} from './data-table-states.tsx';
import { type Expandable, ExpandableItem, ExpandableRow, useExpandedRows } from './expandable-row.tsx';
import { useKeptState } from './use-kept-state.ts';

export type Column<Row> = {
  key: string;
  label: ReactNode;
  align?: 'left' | 'right';
  /** `96px`, `14%`; without it, the remaining width. */
  width?: string;
  /** Hidden where the table has less than 752 px. */
  from?: 'roomy';
  /** Left out first, or next, where a list of the console has no room for all columns. */
  drop?: 'first' | 'next';
  /** Shown in its stead below the first column without a width. */
  below?: (row: Row) => ReactNode;
  /** Given when the list is sorted by this column, or can be: with `onSort` the head becomes a button. */
  sorted?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
  /** Its cell on screen; without it, the column is only in the file. */
  render?: (row: Row) => ReactNode;
  /** Its cell in the CSV; without it, the column is only on screen. */
  csv?: (row: Row) => CsvCell;
  /** Its CSV head, where that is not the label. */
  csvLabel?: string;
};

/** One page of a list by cursor; created by `useCursorPaging`. */
export type Paging = {
  /** The number of rows on previous pages. */
  skipped: number;
  total?: number | undefined;
  onNewer: (() => void) | undefined;
  onEarlier: (() => void) | undefined;
};

export type DataTableProps<Row> = {
  /** What the table holds, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** The rows of this page, or those read so far; undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The TanStack query of the rows: loading, error and stale are derived from it. */
  query: ListQuery;
  /** The error shown instead of the rows; without it, one worded for members. */
  failed?: ReactNode;
  empty: Empty;
  /** Given while a filter is on: the message when it hides all rows, and how to clear it. */
  filtered?: Filtered | false | undefined;
  paging?: Paging | undefined;
  /** Below 768 px a row is two lines: item and result, then details. Without it the table scrolls sideways. */
  mobileRow?: (row: Row) => ReactNode;
  /** Rows of 40 px with one line, instead of 48 with two. */
  dense?: boolean;
  /** The row of totals, one cell per column. */
  totals?: readonly ReactNode[];
  /** The key of the row that is open beside or above the list. */
  selected?: string | undefined;
  /** Whether a row is of something that is switched off. */
  isOff?: (row: Row) => boolean;
  /**
   * One link of the row, marked `data-row-link`, covers the whole row, for the pointer too; other links are layered
   * above it.
   */
  isRowLink?: boolean;
  /** Given when rows expand; such rows are neither selected nor off, and have no totals. */
  expandable?: Expandable<Row>;
  /** Placeholder rows while loading, and on later pages, so that the last page does not shift under the pointer. */
  minHeight?: number;
  className?: string | undefined;
  ref?: Ref<HTMLDivElement>;
  /** Renders the rows where not all of them are rendered at once (features/console/kit). */
  drawRows?: (rows: readonly Row[]) => ReactNode;
  /** More rows can be loaded: a list without rows is not empty yet. */
  hasMore?: boolean;
};

/** A list in its six states: ready, loading, empty, no match, error, stale. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, empty, filtered, minHeight, drawRows } = props;
  // That the previous query had no rows says nothing about this one.
  const rows = query.isPlaceholderData && props.rows?.length === 0 ? undefined : props.rows;
  const isMobile = useNarrow() && props.mobileRow !== undefined;
  const stateOf = useExpandedRows();
  const late = useLate(rows === undefined && !query.isError);
  const isEmpty = rows?.length === 0 && !props.hasMore;
  const range = rows && !query.isPlaceholderData && props.paging ? rangeOf(props.paging, rows.length) : '';
  const isNews = useIsNews(rows && !query.isPlaceholderData ? isEmpty || range : undefined);
  return (
    <div
      ref={props.ref}
      className={`${classes.frame} ${props.className ?? ''}`}
      style={rows === undefined || props.paging?.skipped ? { minHeight } : undefined}
      aria-busy={(rows === undefined && !query.isError) || undefined}
    >
      {rows === undefined && query.isError ? (
        (props.failed ?? <TableError query={query} />)
      ) : isEmpty ? null : (
        <>
          {query.isError && <StaleLine query={query} />}
          {isMobile ? (
            <MobileRows {...props} rows={rows} late={late} stateOf={stateOf} />
          ) : rows !== undefined && drawRows ? (
            drawRows(rows)
          ) : (
            <WideRows {...props} rows={rows} late={late} stateOf={stateOf} />
          )}
        </>
      )}
      <div style={{ display: 'contents' }} role={isNews ? 'status' : undefined}>
        {isEmpty && <EmptyList empty={empty} filtered={filtered} />}
      </div>
      {props.paging && (isEmpty ? props.paging.skipped > 0 : rows !== undefined || !query.isError) && (
        <Foot paging={props.paging} count={rows?.length} />
      )}
      <VisuallyHidden role="status">{isNews && !isEmpty && range}</VisuallyHidden>
    </div>
  );
}

/**
 * What a list shows after a filter, a search or another page is news for screen readers; what it shows first belongs to
 * its page. @param shown undefined while that is loading
 */
function useIsNews(shown: string | boolean | undefined): boolean {
  const [first, setFirst] = useState(shown);
  const [isNews, setNews] = useState(false);
  if (first === undefined && shown !== undefined) setFirst(shown);
  else if (first !== undefined && shown !== first && !isNews) setNews(true);
  return isNews;
}

type RowsProps<Row> = DataTableProps<Row> & { late: boolean; stateOf: ReturnType<typeof useExpandedRows> };

function WideRows<Row>({ late, stateOf, ...props }: RowsProps<Row>) {
  const { rows, rowKey, totals, expandable } = props;
  const columns = props.columns.filter(({ render }) => render !== undefined);
  return (
    <div className={classes.scroll}>
      <TableFrame {...props}>
        <tbody>
          {rows === undefined
            ? late && <LoadingRows columns={expandable ? [{}, ...columns] : columns} />
            : rows.map((row) =>
                expandable ? (
                  <ExpandableRow
                    key={rowKey(row)}
                    row={row}
                    expandable={expandable}
                    width={columns.length + 1}
                    {...stateOf(rowKey(row))}
                  >
                    <Cells columns={columns} row={row} />
                  </ExpandableRow>
                ) : (
                  <tr key={rowKey(row)} {...marksOf(props, row)}>
                    <Cells columns={columns} row={row} />
                  </tr>
                ),
              )}
        </tbody>
        {totals && rows !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={column.key} data-align={column.align}>
                  {totals[index]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </TableFrame>
    </div>
  );
}

const marksOf = <Row,>({ rowKey, selected, isOff }: DataTableProps<Row>, row: Row) => ({
  'data-selected': (selected !== undefined && rowKey(row) === selected) || undefined,
  'data-off': isOff?.(row) || undefined,
});

type TableFrameProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'label' | 'dense' | 'isRowLink' | 'expandable'> &
  Pick<ComponentProps<'table'>, 'role' | 'aria-rowcount' | 'children'> & { tableClass?: string | undefined };

/** The table with its head, also for bodies that render their own rows. */
export function TableFrame<Row>({
  columns,
  label,
  dense,
  isRowLink,
  expandable,
  tableClass = '',
  children,
  ...rest
}: TableFrameProps<Row>) {
  return (
    <table
      className={`${classes.table} ${tableClass}`}
      data-dense={dense || undefined}
      data-linked={isRowLink || undefined}
      aria-label={label}
      role={rest.role}
      aria-rowcount={rest['aria-rowcount']}
    >
      <thead>
        <tr>
          {expandable && (
            <th scope="col">
              <VisuallyHidden>{t`Details`}</VisuallyHidden>
            </th>
          )}
          {columns
            .filter(({ render }) => render !== undefined)
            .map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                data-from={column.from}
                data-fluid={column.width === undefined || undefined}
                style={column.width === undefined ? undefined : { width: column.width }}
                aria-sort={column.sorted}
              >
                <HeadCell column={column} />
              </th>
            ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

/** The cells of one row. */
export function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map(
    ({ key, label, align, from, width, render }) =>
      render && (
        <td
          key={key}
          data-label={typeof label === 'string' ? label : undefined}
          data-align={align}
          data-from={from}
          data-fluid={width === undefined || undefined}
        >
          {render(row)}
        </td>
      ),
  );
}

function HeadCell<Row>({ column }: { column: Column<Row> }) {
  const Arrow = column.sorted === 'ascending' ? IconArrowUp : IconArrowDown;
  const arrow = column.sorted && column.sorted !== 'none' && <Arrow size={12} stroke={1.5} aria-hidden />;
  if (!column.onSort) {
    return (
      <>
        {column.label}
        {arrow}
      </>
    );
  }
  return (
    <UnstyledButton className={classes.sort} onClick={column.onSort}>
      {column.label}
      {arrow}
    </UnstyledButton>
  );
}

function MobileRows<Row>({ late, stateOf, ...props }: RowsProps<Row>) {
  const { rows, rowKey, mobileRow, expandable } = props;
  return (
    <ul className={classes.narrow} aria-label={props.label}>
      {rows === undefined
        ? late && <LoadingRows />
        : rows.map((row) =>
            expandable ? (
              <ExpandableItem key={rowKey(row)} row={row} expandable={expandable} {...stateOf(rowKey(row))}>
                {mobileRow?.(row)}
              </ExpandableItem>
            ) : (
              <li key={rowKey(row)} {...marksOf(props, row)}>
                {mobileRow?.(row)}
              </li>
            ),
          )}
    </ul>
  );
}

type MobileRowProps = {
  /** The row's target, for rows that are links. */
  to?: To;
  preventScrollReset?: boolean;
  /** One `span` per line: item and result in the first, details in `small`. */
  children: ReactNode;
};

/** A table row below 768 px: item and result, then details. */
export function MobileRow({ to, preventScrollReset = false, children }: MobileRowProps) {
  if (to === undefined) return <div className={classes.mobileRow}>{children}</div>;
  return (
    <Link className={classes.mobileRow} to={to} preventScrollReset={preventScrollReset}>
      {children}
    </Link>
  );
}

/** `1 to 20 of 45`; nothing while no rows are known. */
function rangeOf({ skipped, total }: Paging, count: number | undefined): string {
  if (!count) return '';
  const range = t`${skipped + 1} to ${skipped + count}`;
  return total === undefined ? range : t`${range} of ${formatCount(total)}`;
}

function Foot({ paging, count }: { paging: Paging; count: number | undefined }) {
  const { skipped, onNewer, onEarlier } = paging;
  return (
    <Group
      className={classes.foot}
      justify="space-between"
      gap="sm"
      mih={44}
      mt="auto"
      px={{ base: 'md', sm: 20 }}
      py="xs"
      fz="xs"
      c="dimmed"
      // While the first rows load it has nothing to show, and would shift when they arrive.
      style={count === undefined && skipped === 0 ? { visibility: 'hidden' } : undefined}
    >
      <span>{rangeOf(paging, count)}</span>
      {(onNewer || onEarlier) && (
        <Group gap="xs">
          <Button size="sm" variant="default" disabled={!onNewer} onClick={onNewer}>
            {t`Newer`}
          </Button>
          <Button size="sm" variant="default" disabled={!onEarlier} onClick={onEarlier}>
            {t`Earlier`}
          </Button>
        </Group>
      )}
    </Group>
  );
}

type Past = readonly { cursor: string; skipped: number }[];
type Page = { items: readonly unknown[]; next_cursor: string | null; total?: number | undefined };

/**
 * Paging by cursor: `cursor` goes into the query, `pagingOf(page)` into the table. Cursors only lead forward, so
 * previous ones are remembered, also for whoever goes back in the history to this page. Call `reset` when a filter
 * changes.
 */
export function useCursorPaging() {
  const [past, setPast] = useKeptState<Past>('cursors', []);
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
