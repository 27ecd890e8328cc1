import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './expandable-row.module.css';

/** How rows of a table expand. */
export type Expandable<Row> = {
  /** The accessible name of a row's button. */
  label: (row: Row) => string;
  /** The content below an expanded row. */
  render: (row: Row) => ReactNode;
  /** Rows without details have no button. */
  opens?: (row: Row) => boolean;
};

type ExpandableRowProps<Row> = { row: Row; expandable: Expandable<Row>; isOpen: boolean; onToggle: () => void };

/** The expanded rows by key: outlives the change between the wide and the narrow form of the list. */
export function useExpandedRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set());
  const toggle = (key: string) =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (key: string) => ({ isOpen: open.has(key), onToggle: () => toggle(key) });
}

/**
 * A row of cells with a button in front; pressing anywhere in the row presses it. `width`: in cells, including the
 * button's.
 */
export function ExpandableRow<Row>({
  row,
  expandable,
  width,
  children,
  ...state
}: ExpandableRowProps<Row> & { width: number; children: ReactNode }) {
  const { isOpen } = state;
  const { detailId, button } = useExpandable(expandable, row, state);
  return (
    <>
      <tr className={classes.row} data-open={isOpen || undefined}>
        <td className={classes.first}>{button}</td>
        {children}
      </tr>
      {isOpen && (
        <tr className={classes.detailRow}>
          <td id={detailId} colSpan={width}>
            <div className={classes.detail}>{expandable.render(row)}</div>
          </td>
        </tr>
      )}
    </>
  );
}

/** The same for a two-line row. */
export function ExpandableItem<Row>({
  row,
  expandable,
  children,
  ...state
}: ExpandableRowProps<Row> & { children: ReactNode }) {
  const { isOpen } = state;
  const { detailId, button } = useExpandable(expandable, row, state);
  return (
    <li data-open={isOpen || undefined}>
      <div className={classes.item}>
        <div className={classes.lines}>{children}</div>
        {button}
      </div>
      {isOpen && (
        <div id={detailId} className={classes.below}>
          {expandable.render(row)}
        </div>
      )}
    </li>
  );
}

function useExpandable<Row>(
  { label, opens }: Expandable<Row>,
  row: Row,
  { isOpen, onToggle }: Pick<ExpandableRowProps<Row>, 'isOpen' | 'onToggle'>,
) {
  const detailId = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const button = opens?.(row) !== false && (
    <UnstyledButton
      className={classes.opener}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId : undefined}
      aria-label={label(row)}
      onClick={onToggle}
    >
      <Chevron size={16} stroke={1.5} aria-hidden />
    </UnstyledButton>
  );
  return { detailId, button };
}
