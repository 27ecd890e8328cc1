import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { type Empty, type ListQuery, LoadingRows, StaleLine, useLate } from '../../../ui/table/data-table-states.tsx';
import { DeskEmpty, DeskError } from './list-states.tsx';
import classes from './list-table.module.css';
import { useRowFocus } from './use-row-focus.ts';

export type DeskColumn<Row> = {
  key: string;
  label: ReactNode;
  align?: 'left' | 'right';
  /** Of the table, since its columns do not move when rows come and go: `96px`, `14%`. Without it, what is left. */
  width?: string;
  /** Left out where the list is narrow: below 1280 px, and below 992. */
  from?: 'wide' | 'middle';
  /** The list is in this order by this column. */
  sorted?: 'ascending' | 'descending';
  render: (row: Row) => ReactNode;
};

type DeskTableProps<Row> = {
  /** What the table holds, for screen readers. */
  label: string;
  columns: readonly DeskColumn<Row>[];
  /** Those that were read so far; undefined while there are none yet. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The one that is open beside the list. */
  selected?: string | undefined;
  onOpen?: (row: Row) => void;
  onClose?: () => void;
  query: ListQuery;
  empty: Empty;
  /** Given while a filter is on: the words for when it hides all, and how to clear it. */
  filtered?: { title: ReactNode; text?: ReactNode; onClear: () => void } | undefined;
  /** Reads on; given while there is more. Called when the end comes near. */
  onEnd?: (() => void) | undefined;
  /** Rows of 40 px with one line, instead of 48 with two. */
  dense?: boolean;
};

const ROW_PX = { dense: 40, full: 48 } as const;
/** So few rows are drawn whole; more are drawn where they can be seen. */
const WHOLE = 60;
const OVERSCAN = 12;
/** How near the end is when more is asked for. */
const NEAR_ROWS = 20;

/** A list of the console: long, dense, moved through by keys. Arrows or j and k move, Enter opens, Escape closes. */
export function DeskTable<Row>(props: DeskTableProps<Row>) {
  const { rows, query, filtered, empty } = props;
  const late = useLate(rows === undefined && !query.isError);
  if (rows === undefined && query.isError) return <DeskError query={query} />;
  if (rows?.length === 0 && !props.onEnd) return <DeskEmpty empty={empty} filtered={filtered} />;
  return (
    <div className={classes.frame} aria-busy={rows === undefined || undefined}>
      {rows !== undefined && query.isError && <StaleLine query={query} />}
      {rows === undefined ? <WaitingRows {...props} late={late} /> : <Rows {...props} rows={rows} />}
    </div>
  );
}

function Rows<Row>(props: DeskTableProps<Row> & { rows: readonly Row[] }) {
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
      <table
        className={classes.table}
        data-dense={dense || undefined}
        role={onOpen ? 'grid' : undefined}
        aria-label={props.label}
        aria-rowcount={onEnd ? -1 : rows.length + 1}
      >
        <Head columns={columns} />
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
                {columns.map((column) => (
                  <td key={column.key} data-align={column.align} data-from={column.from}>
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap px={(rows.length - 1 - last) * rowPx} columns={columns.length} />
        </tbody>
      </table>
      {onEnd && (
        <p className={classes.more} role="status">
          Reading on
        </p>
      )}
    </section>
  );
}

function WaitingRows<Row>({ columns, label, dense = false, late }: DeskTableProps<Row> & { late: boolean }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} data-dense={dense || undefined} aria-label={label}>
        <Head columns={columns} />
        <tbody>{late && <LoadingRows aligns={columns.map(({ align }) => align)} />}</tbody>
      </table>
    </div>
  );
}

function Head<Row>({ columns }: { columns: readonly DeskColumn<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            data-align={column.align}
            data-from={column.from}
            aria-sort={column.sorted}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.label}
            {column.sorted && <span aria-hidden="true">{column.sorted === 'ascending' ? ' ↑' : ' ↓'}</span>}
          </th>
        ))}
      </tr>
    </thead>
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
