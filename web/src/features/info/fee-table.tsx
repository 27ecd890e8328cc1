import type { ReactNode } from 'react';
import classes from './info-article.module.css';

export type FeeRow = { readonly cells: readonly [label: ReactNode, ...rest: ReactNode[]]; readonly isSum?: boolean };

type FeeTableProps = {
  /** What the table is of, for whoever cannot see it. */
  label: string;
  heads: readonly string[];
  rows: readonly FeeRow[];
  /** Columns from here on are figures and stand right. */
  figuresFrom?: number;
};

/** A table inside a section to read. On a narrow screen it scrolls inside its own frame. */
export function FeeTable({ label, heads, rows, figuresFrom = heads.length }: FeeTableProps) {
  const align = (column: number) => (column >= figuresFrom ? 'right' : undefined);
  return (
    <div className={classes.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <table tabIndex={0} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, column) =>
              head === '' ? (
                <td key={head} />
              ) : (
                <th key={head} scope="col" data-align={align(column)}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [name, ...cells], isSum }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
            <tr key={row} data-sum={isSum || undefined}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                <td key={column} data-align={align(column + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
