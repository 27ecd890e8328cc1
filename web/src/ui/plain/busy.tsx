import type { ComponentPropsWithoutRef, ReactNode, SyntheticEvent } from 'react';
import classes from './busy.module.css';

export type Busy = {
  busy: boolean;
  /** The verb of the running action: "Placing". */
  busyLabel: string;
};

type Pressed = Pick<ComponentPropsWithoutRef<'button'>, 'type' | 'onClick'>;

const preventDefault = (event: SyntheticEvent) => event.preventDefault();

/** Props of a busy button: it stays in place and focused, and ignores presses. */
export function busyProps({ busy, type = 'button', onClick }: Pick<Busy, 'busy'> & Pressed) {
  return {
    type,
    'aria-disabled': busy || undefined,
    'aria-busy': busy || undefined,
    // A busy submit button stays one but submits nothing: without it, Enter would submit a form of one field. Disabling
    // it would lose the focus.
    onClick: busy ? preventDefault : onClick,
  };
}

type BusyFaceProps = Busy & { icon?: ReactNode; children: ReactNode };

/** Icon and label, or a spinner and a verb: as wide as the wider of the two. */
export const BusyFace = ({ busy, busyLabel, icon, children }: BusyFaceProps) => (
  <span className={classes.stack}>
    <span className={classes.face} data-off={busy || undefined} aria-hidden={busy || undefined}>
      {icon}
      {children}
    </span>
    <span className={classes.face} data-off={!busy || undefined} aria-hidden={!busy || undefined}>
      <span className={classes.ring} />
      {busyLabel}
    </span>
  </span>
);
