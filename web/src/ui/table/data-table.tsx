import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNarrow } from '../use-narrow.ts';
import classes from './data-table.module.css';
import { type Empty, type ListQuery, LoadingRows, StaleLine, TableError, useLate } from './data-table-states.tsx';
import { type Opening, OpeningItem, OpeningRow, useOpenRows } from './expandable-row.tsx';
import { ListState } from './list-state.tsx';

export type Column<Row> = {
  key: string;
  label: ReactNode;
  align?: 'left' | 'right';
  render: (row: Row) => ReactNode;
  /** Given when the list is sorted by this column, or can be: the head becomes a button. */
  sorted?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
  width?: string;
};

/** One page of a list by cursor; `useCursorPaging` makes it. */
export type Paging = {
  /** How many rows the pages before this one had. */
  skipped: number;
  total?: number | undefined;
  onNewer: (() => void) | undefined;
  onEarlier: (() => void) | undefined;
};

type DataTableProps<Row> = {
  /** What the table holds, for screen readers and for the sentence of the error: "The list could not be loaded". */
  label: string;
  columns: readonly Column<Row>[];
  /** The rows of this page; undefined while there are none yet. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** TanStack's query behind the rows: loading, error and stale follow from it. */
  query: ListQuery;
  empty: Empty;
  /** Given while a filter is on: the words for when it hides all, and how to clear it. */
  filtered?: { title: ReactNode; text?: ReactNode; onClear: () => void } | undefined;
  paging?: Paging | undefined;
  /** Below 768 px a row is two lines: what and result, then details. Without it the table scrolls sideways. */
  mobileRow?: (row: Row) => ReactNode;
  /** Rows of 40 px instead of 48. */
  dense?: boolean;
  /** The row of sums, one cell a column. */
  sums?: readonly ReactNode[];
  isSelected?: (row: Row) => boolean;
  /** A row of something that is switched off. */
  isOff?: (row: Row) => boolean;
  /** One link of the row, marked `data-row-link`, is the whole row, for the pointer too; other links lie above it. */
  isRowLink?: boolean;
  /** Given when each row opens into where it came from; such rows are neither selected nor off, and have no sums. */
  opening?: Opening<Row>;
  /** Keeps the frame's height the same in all states. */
  minHeight?: number;
};

/** A list in its six states: ready, loading, empty, no match, error, stale. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, empty, filtered, minHeight } = props;
  // That the question before had no rows says nothing about this one.
  const rows = query.isPlaceholderData && props.rows?.length === 0 ? undefined : props.rows;
  const narrow = useNarrow() && props.mobileRow !== undefined;
  const late = useLate(rows === undefined && !query.isError);
  const stateOf = useOpenRows();
  const style = minHeight === undefined ? undefined : { minHeight };

  if (rows === undefined && query.isError) {
    return (
      <div className={classes.frame} style={style}>
        <TableError query={query} />
      </div>
    );
  }
  if (rows?.length === 0) {
    return (
      <div className={classes.frame} style={style}>
        {filtered ? (
          <ListState
            icon={<IconFilter size={20} stroke={1.5} />}
            title={filtered.title}
            action={
              <Button variant="default" onClick={filtered.onClear}>
                Clear the filter
              </Button>
            }
          >
            {filtered.text}
          </ListState>
        ) : (
          <ListState icon={empty.icon} title={empty.title} action={empty.action}>
            {empty.text}
          </ListState>
        )}
        {props.paging && props.paging.skipped > 0 && <Foot paging={props.paging} count={0} />}
      </div>
    );
  }
  return (
    <div className={classes.frame} style={style} aria-busy={rows === undefined || undefined}>
      {rows !== undefined && query.isError && <StaleLine query={query} />}
      {narrow ? (
        <NarrowRows {...props} rows={rows} late={late} stateOf={stateOf} />
      ) : (
        <WideRows {...props} rows={rows} late={late} stateOf={stateOf} />
      )}
      {props.paging && <Foot paging={props.paging} count={rows?.length} />}
    </div>
  );
}

type RowsProps<Row> = DataTableProps<Row> & { late: boolean; stateOf: ReturnType<typeof useOpenRows> };

function WideRows<Row>({ late, stateOf, ...props }: RowsProps<Row>) {
  const { columns, rows, rowKey, sums, opening } = props;
  const aligns = columns.map((column) => column.align);
  const cellsOf = (row: Row) =>
    columns.map((column) => (
      <td key={column.key} data-align={column.align}>
        {column.render(row)}
      </td>
    ));
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        data-dense={props.dense || undefined}
        data-linked={props.isRowLink || undefined}
        aria-label={props.label}
      >
        <thead>
          <tr>
            {opening && (
              <th scope="col">
                <VisuallyHidden>Where it came from</VisuallyHidden>
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={column.align}
                style={column.width === undefined ? undefined : { width: column.width }}
                aria-sort={column.sorted}
              >
                <HeadCell column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? late && <LoadingRows aligns={opening ? [undefined, ...aligns] : aligns} />
            : rows.map((row) =>
                opening ? (
                  <OpeningRow
                    key={rowKey(row)}
                    row={row}
                    opening={opening}
                    width={columns.length + 1}
                    {...stateOf(rowKey(row))}
                  >
                    {cellsOf(row)}
                  </OpeningRow>
                ) : (
                  <tr
                    key={rowKey(row)}
                    data-selected={props.isSelected?.(row) || undefined}
                    data-off={props.isOff?.(row) || undefined}
                  >
                    {cellsOf(row)}
                  </tr>
                ),
              )}
        </tbody>
        {sums && rows !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={column.key} data-align={column.align}>
                  {sums[index]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
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

function NarrowRows<Row>({ late, stateOf, ...props }: RowsProps<Row>) {
  const { rows, rowKey, mobileRow, opening } = props;
  return (
    <ul className={classes.narrow} aria-label={props.label}>
      {rows === undefined
        ? late && <LoadingRows />
        : rows.map((row) =>
            opening ? (
              <OpeningItem key={rowKey(row)} row={row} opening={opening} {...stateOf(rowKey(row))}>
                {mobileRow?.(row)}
              </OpeningItem>
            ) : (
              <li
                key={rowKey(row)}
                data-selected={props.isSelected?.(row) || undefined}
                data-off={props.isOff?.(row) || undefined}
              >
                {mobileRow?.(row)}
              </li>
            ),
          )}
    </ul>
  );
}

function Foot({ paging, count }: { paging: Paging; count: number | undefined }) {
  const { skipped, total, onNewer, onEarlier } = paging;
  const range = count ? `${skipped + 1} to ${skipped + count}` : '';
  return (
    <div className={classes.foot}>
      <span className={classes.range}>
        {range}
        {range && total !== undefined ? ` of ${total.toLocaleString('en-US')}` : ''}
      </span>
      <div className={classes.pager}>
        <Button size="sm" variant="default" disabled={!onNewer} onClick={onNewer}>
          Newer
        </Button>
        <Button size="sm" variant="default" disabled={!onEarlier} onClick={onEarlier}>
          Earlier
        </Button>
      </div>
    </div>
  );
}
