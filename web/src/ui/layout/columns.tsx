import type { ReactNode } from 'react';
import classes from './columns.module.css';

type ColumnsProps = {
  /** The side of the narrow column. */
  side?: 'left' | 'right';
  /** From this width on they are side by side: 1400 px where the main column holds a wide table. */
  from?: 1280 | 1400;
  /** When stacked, the last one comes first. */
  lastFirst?: boolean;
  /** Both have the height of the taller one. */
  even?: boolean;
  children: ReactNode;
};

/** The main column of a page and a narrow one beside it; stacked below 1280 px. */
export const Columns = ({ side = 'right', from = 1280, lastFirst, even, children }: ColumnsProps) => (
  <div
    className={classes.columns}
    data-side={side}
    data-from={from}
    data-last-first={lastFirst || undefined}
    data-even={even || undefined}
  >
    {children}
  </div>
);

type ColumnProps = {
  /** Short cards, in pairs where the column is as wide as the page. */
  pairs?: boolean;
  children: ReactNode;
};

/** A stack of cards, in either column. */
export const Column = ({ pairs = false, children }: ColumnProps) => (
  <div className={classes.column} data-pairs={pairs || undefined}>
    {children}
  </div>
);
