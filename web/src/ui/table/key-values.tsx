import { Fragment, type ReactNode } from 'react';
import classes from './key-values.module.css';

/** One that does not apply is falsy. */
export type KeyValue = readonly [label: string, value: ReactNode] | false | null | undefined | '';

type KeyValuesProps = {
  items: readonly KeyValue[];
  /** Hairlines between the rows. */
  rule?: boolean;
  /** Tighter rows. */
  dense?: boolean;
};

/** Labels left, values right. */
export function KeyValues({ items, rule = false, dense = false }: KeyValuesProps) {
  return (
    <dl className={classes.list} data-rule={rule || undefined} data-dense={dense || undefined}>
      {items.map(
        (item) =>
          item && (
            <Fragment key={item[0]}>
              <dt>{item[0]}</dt>
              <dd>{item[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
