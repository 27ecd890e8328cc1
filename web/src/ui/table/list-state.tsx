import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './list-state.module.css';

type ListStateProps = {
  icon: Icon | null;
  title: ReactNode;
  children?: ReactNode;
  /** One button. */
  action?: ReactNode;
  error?: boolean;
  /** The title is the heading of a page that shows nothing else. */
  isPage?: boolean;
};

/** Shown instead of a list that has no rows. */
export function ListState({ icon: StateIcon, title, children, action, error = false, isPage = false }: ListStateProps) {
  const Title = isPage ? 'h1' : 'b';
  return (
    <div className={classes.state} role={error ? 'alert' : undefined}>
      <span className={classes.icon} aria-hidden>
        {StateIcon && <StateIcon size={20} stroke={1.5} />}
      </span>
      <Title className={classes.title}>{title}</Title>
      {children && <p className={classes.words}>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
