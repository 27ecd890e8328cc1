import type { ComponentPropsWithoutRef } from 'react';
import classes from './rows.module.css';

type RowsProps = ComponentPropsWithoutRef<'ul'> & {
  /** Above the first one too, where something stands over them. */
  rule?: boolean;
};

/** The entries of a card, from edge to edge and parted by hairlines. */
export const Rows = ({ rule = false, ...list }: RowsProps) => (
  <ul {...list} className={classes.rows} data-rule={rule || undefined} />
);
