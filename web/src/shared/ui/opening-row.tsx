import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Column } from './data-table.tsx';
import classes from './opening-row.module.css';

/** How rows of a table open into more: what the button of a row names, and what then stands below the row. */
export type Opening<Row> = { name: (row: Row) => string; render: (row: Row) => ReactNode };

type OpeningRowProps<Row> = { row: Row; opening: Opening<Row> };

/** A row with a button in front; pressing anywhere in the row presses it. */
export function OpeningRow<Row>({ row, opening, columns }: OpeningRowProps<Row> & { columns: readonly Column<Row>[] }) {
  const { isOpen, detailId, button } = useOpening(opening.name(row));
  return (
    <>
      <tr className={classes.row} data-open={isOpen || undefined}>
        <td className={classes.first}>{button}</td>
        {columns.map((column) => (
          <td key={column.key} data-align={column.align}>
            {column.render(row)}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr className={classes.detailRow}>
          <td id={detailId} colSpan={columns.length + 1}>
            <div className={classes.detail}>{opening.render(row)}</div>
          </td>
        </tr>
      )}
    </>
  );
}

/** The same where a row is two lines. */
export function OpeningItem<Row>({ row, opening, children }: OpeningRowProps<Row> & { children: ReactNode }) {
  const { isOpen, detailId, button } = useOpening(opening.name(row));
  return (
    <li data-open={isOpen || undefined}>
      <div className={classes.item}>
        <div className={classes.lines}>{children}</div>
        {button}
      </div>
      {isOpen && (
        <div id={detailId} className={classes.below}>
          {opening.render(row)}
        </div>
      )}
    </li>
  );
}

function useOpening(name: string) {
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const button = (
    <UnstyledButton
      className={classes.opener}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId : undefined}
      aria-label={`Where ${name} came from`}
      onClick={() => setOpen(!isOpen)}
    >
      <Chevron size={16} stroke={1.5} aria-hidden />
    </UnstyledButton>
  );
  return { isOpen, detailId, button };
}
