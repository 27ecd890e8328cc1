import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import classes from './mobile-row.module.css';

type MobileRowProps = {
  /** Where the whole row leads, for rows that lead somewhere. */
  to?: To;
  preventScrollReset?: boolean;
  /** A `span` a line, what and result in the first, then details in `small`. */
  children: ReactNode;
};

/** A row of a table below 768 px: what and result, then details. */
export function MobileRow({ to, preventScrollReset = false, children }: MobileRowProps) {
  if (to === undefined) return <div className={classes.row}>{children}</div>;
  return (
    <Link className={classes.row} to={to} preventScrollReset={preventScrollReset}>
      {children}
    </Link>
  );
}
