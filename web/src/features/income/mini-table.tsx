import type { ReactNode } from 'react';
import classes from './mini-table.module.css';

type MiniTableProps = {
  label: string;
  /** The first column is text, the others are numbers. */
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[]; off?: boolean }[];
};

/** A small table within what a line opens into. */
export function MiniTable({ label, head, rows }: MiniTableProps) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
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
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
