import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import classes from './busy-button.module.css';

type BusyButtonProps = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    busy: boolean;
    /** The verb of what is going on: "Placing". */
    busyLabel: string;
  };

/** A button that keeps its width while busy, shows a ring and a verb in place of icon and label, and takes no second press. */
export function BusyButton(props: BusyButtonProps) {
  const { busy, busyLabel, leftSection, children, onClick, type = 'button', ...rest } = props;
  return (
    <Button
      {...rest}
      // A busy submit button must not submit again; disabling it instead would throw away the focus.
      type={busy ? 'button' : type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...(busy || !onClick ? {} : { onClick })}
    >
      <span className={classes.stack}>
        <span className={classes.face} data-off={busy || undefined} aria-hidden={busy || undefined}>
          {leftSection}
          {children}
        </span>
        <span className={classes.face} data-off={!busy || undefined} aria-hidden={!busy || undefined}>
          <Loader size={16} color="currentColor" />
          {busyLabel}
        </span>
      </span>
    </Button>
  );
}
