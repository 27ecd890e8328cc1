import type { ReactNode } from 'react';
import classes from './mini-table.module.css';

type MiniTableProps = {
  label: string;
  /** The first column is text, the others are numbers. */
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[]; off?: boolean }[];
  totals?: readonly ReactNode[];
  isLoading?: boolean;
};

/** A small table of figures in a card, or in an expanded row. */
export const MiniTable = ({ label, head, rows, totals, isLoading = false }: MiniTableProps) => (
  <div className={classes.frame}>
    <table className={classes.table} aria-label={label} aria-busy={isLoading || undefined}>
      <thead>
        <tr>
          {head.map((word) => (
            <th key={word} scope="col">
              {word}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, off }) => (
          <tr key={key} data-off={off || undefined}>
            <Cells head={head} cells={cells} />
          </tr>
        ))}
      </tbody>
      {totals && (
        <tfoot>
          <tr>
            <Cells head={head} cells={totals} />
          </tr>
        </tfoot>
      )}
    </table>
  </div>
);

const Cells = ({ head, cells: [first, ...numbers] }: { head: readonly string[]; cells: readonly ReactNode[] }) => (
  <>
    <th scope="row">{first}</th>
    {numbers.map((cell, index) => (
      <td key={head[index + 1]}>{cell}</td>
    ))}
  </>
);
