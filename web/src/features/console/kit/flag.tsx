import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './flag.module.css';

/** Everything to look at in a row, one below the other. */
export const Flags = ({ flags }: { flags: readonly string[] }) => (
  <span className={classes.flags}>
    {flags.map((flag) => (
      <Flag key={flag}>{flag}</Flag>
    ))}
  </span>
);

/** Something to look at, in a row. */
export function Flag({ children }: { children: ReactNode }) {
  return (
    <span className={classes.flag}>
      <IconAlertTriangle size={14} stroke={1.5} aria-hidden />
      {children}
    </span>
  );
}
