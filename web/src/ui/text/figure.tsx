import type { ReactNode } from 'react';
import classes from './figure.module.css';

type FigureProps = {
  label: ReactNode;
  children: ReactNode;
  /** The context below the figure. */
  foot?: ReactNode;
  /** xl is the one large figure of a page. */
  size?: 'md' | 'lg' | 'xl';
};

/** A figure with its label above and its context below. */
export function Figure({ label, children, foot, size = 'md' }: FigureProps) {
  return (
    <div className={classes.figure}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value} data-size={size}>
        {children}
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </div>
  );
}

/** Figures in one card, separated by hairlines. */
export function FigureStrip({ children }: { children: ReactNode }) {
  return <div className={classes.strip}>{children}</div>;
}
