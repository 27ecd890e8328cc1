import type { ReactNode } from 'react';
import classes from './banner.module.css';

type BannerProps = {
  /** neutral for hours and settling, amber (dashed) for mode and operator access, loss for account safety. */
  tone?: 'neutral' | 'amber' | 'loss';
  icon?: ReactNode;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
};

/** It pushes content and never covers it. */
export function Banner({ tone = 'neutral', icon, title, children, action }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} role={tone === 'loss' ? 'alert' : undefined}>
      {icon && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={classes.words}>
        {title && <div className={classes.title}>{title}</div>}
        {children && <div className={classes.text}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
