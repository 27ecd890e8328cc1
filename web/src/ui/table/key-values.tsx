import { Fragment, type ReactNode } from 'react';
import classes from './key-values.module.css';

type KeyValuesProps = {
  items: readonly (readonly [label: string, value: ReactNode])[];
  /** Hairlines between the rows. */
  rule?: boolean;
  /** Tighter rows. */
  dense?: boolean;
};

/** Labels left, values right. */
export function KeyValues({ items, rule = false, dense = false }: KeyValuesProps) {
  return (
    <dl className={classes.list} data-rule={rule || undefined} data-dense={dense || undefined}>
      {items.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
