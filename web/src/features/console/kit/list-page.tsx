import type { ReactNode } from 'react';
import classes from './list-page.module.css';

/** List left, what is opened right; each scrolls by itself. Where both have no room, the detail lies over the list. */
export function DeskSplit({ children, detail }: { children: ReactNode; detail: ReactNode }) {
  return (
    <div className={classes.split} data-open={Boolean(detail) || undefined}>
      <section className={classes.list}>{children}</section>
      {detail}
    </div>
  );
}
