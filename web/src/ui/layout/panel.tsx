import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react';
import classes from './panel.module.css';

type PanelProps = {
  title?: ReactNode;
  /** One control or fact at the right of the head. */
  control?: ReactNode;
  /** Several controls: on a phone they go below the title, as text only. */
  controlBelow?: boolean;
  /** A rule under the head, only above tables. */
  rule?: boolean;
  foot?: ReactNode;
  /** False where a table or list brings its own padding. */
  padded?: boolean;
  /** Fills the rest of its column's height. */
  fills?: boolean;
  className?: string;
  children?: ReactNode;
};

/** The card: surface, hairline, head of 52 px with the title left and one control right. */
export function Panel(props: PanelProps) {
  const { title, control, controlBelow = false, rule = false, foot, padded = true, fills, className, children } = props;
  const titleId = useId();
  return (
    <section
      className={className ? `${classes.panel} ${className}` : classes.panel}
      data-fills={fills || undefined}
      aria-labelledby={title ? titleId : undefined}
    >
      {(title || control) && (
        <div className={classes.head} data-rule={rule || undefined} data-below={controlBelow || undefined}>
          {title ? <h2 id={titleId}>{title}</h2> : <span />}
          {control && <div className={classes.control}>{control}</div>}
        </div>
      )}
      {children !== undefined && (
        <div className={classes.body} data-flush={!padded || undefined}>
          {children}
        </div>
      )}
      {foot && <div className={classes.foot}>{foot}</div>}
    </section>
  );
}

type RowsProps = ComponentPropsWithoutRef<'ul'> & {
  /** A hairline above the first one too, where something is above them. */
  rule?: boolean;
};

/** The entries of a card, edge to edge and separated by hairlines. */
export const Rows = ({ rule = false, ...list }: RowsProps) => (
  <ul {...list} className={classes.rows} data-rule={rule || undefined} />
);
