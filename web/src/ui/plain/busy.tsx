import type { ComponentPropsWithoutRef, ReactNode, SyntheticEvent } from 'react';
import classes from './busy.module.css';

export type Busy = {
  busy: boolean;
  /** The verb of what is going on: "Placing". */
  busyLabel: string;
};

type Pressed = Pick<ComponentPropsWithoutRef<'button'>, 'type' | 'onClick'>;

const preventDefault = (event: SyntheticEvent) => event.preventDefault();

/** What a busy button is to whoever presses it: there, with its focus, and taking no second press. */
export function busyProps({ busy, type = 'button', onClick }: Pick<Busy, 'busy'> & Pressed) {
  return {
    type,
    'aria-disabled': busy || undefined,
    'aria-busy': busy || undefined,
    // A busy submit button submits nothing, and stays one: without it Enter would submit a form of one field. Disabling it
    // would throw away the focus.
    onClick: busy ? preventDefault : onClick,
  };
}

type BusyFaceProps = Busy & { icon?: ReactNode; children: ReactNode };

/** Icon and label, or a ring and a verb in their place: as wide as the wider of both. */
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
