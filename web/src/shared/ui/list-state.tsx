import type { ReactNode } from 'react';
import classes from './list-state.module.css';

type ListStateProps = {
  icon: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  /** One button. */
  action?: ReactNode;
  error?: boolean;
};

/** What stands in a list's place when it has no rows to show. */
export function ListState({ icon, title, children, action, error = false }: ListStateProps) {
  return (
    <div className={classes.state} role={error ? 'alert' : undefined}>
      <span className={classes.icon} data-error={error || undefined} aria-hidden="true">
        {icon}
      </span>
      <b>{title}</b>
      {children && <p>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
