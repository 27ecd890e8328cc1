import type { ReactNode } from 'react';
import classes from './columns.module.css';

type ColumnsProps = {
  /** Both sides end on one line, as high as the higher one. */
  even?: boolean;
  children: ReactNode;
};

/** The main column of a page and, from 1280 px on, a narrow one beside it; below that, one under the other. */
export const Columns = ({ even = false, children }: ColumnsProps) => (
  <div className={classes.columns} data-even={even || undefined}>
    {children}
  </div>
);

type ColumnProps = {
  /** Short cards, which stand in pairs where the column is as wide as the page. */
  pairs?: boolean;
  children: ReactNode;
};

/** Cards below each other, in either column. */
export const Column = ({ pairs = false, children }: ColumnProps) => (
  <div className={classes.column} data-pairs={pairs || undefined}>
    {children}
  </div>
);
