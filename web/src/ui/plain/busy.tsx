import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from 'react';
import classes from './busy.module.css';

export type Busy = {
  busy: boolean;
  /** The verb of the running action: "Placing". */
  busyLabel: string;
};

type Pressed = Pick<ComponentPropsWithoutRef<'button'>, 'type' | 'onClick'>;

/** Pressed, and not rendered since: of a double click on a slow device, both clicks may come before. */
const pressed = new WeakSet<EventTarget>();

/** Props of a busy button: it stays in place and focused, and ignores presses. */
export function busyProps({ busy, type = 'button', onClick }: Pick<Busy, 'busy'> & Pressed) {
  return {
    type,
    'aria-disabled': busy || undefined,
    'aria-busy': busy || undefined,
    // A busy submit button stays one but submits nothing: without it, Enter would submit a form of one field. Disabling
    // it would lose the focus.
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      const { currentTarget } = event;
      if (busy || (event.detail > 1 && pressed.has(currentTarget))) return event.preventDefault();
      pressed.add(currentTarget);
      // After the task in which the query library reports that a call is running.
      setTimeout(() => pressed.delete(currentTarget));
      onClick?.(event);
    },
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
