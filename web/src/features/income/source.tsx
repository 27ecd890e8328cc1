import type { ReactNode } from 'react';
import { type ListQuery, LoadingRows, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import classes from './source.module.css';

type SourceProps<T> = {
  /** What was asked about the line: all of it comes with one answer. */
  query: ListQuery;
  data: T | undefined;
  children: (data: T) => ReactNode;
};

/** What a line opens into, in its states: sections side by side once the answer is there. */
export function Source<T>({ query, data, children }: SourceProps<T>) {
  const late = useLate(data === undefined && !query.isError);
  if (data !== undefined) return <div className={classes.source}>{children(data)}</div>;
  if (query.isError) return <TableError query={query} />;
  return (
    <ul className={classes.loading} aria-busy="true" aria-label="Loading">
      {late && <LoadingRows />}
    </ul>
  );
}

/** One part of it. */
export function SourceSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
