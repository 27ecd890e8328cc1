import type { ReactNode } from 'react';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import classes from './reason.module.css';

type PlaceButtonProps = {
  /** Why it is disabled, or what is wrong with the form. */
  reason: string | undefined;
  reasonId: string;
  /** The reason is an error, not something to wait for. */
  isWrong: boolean;
  disabled?: boolean;
  busy: boolean;
  busyLabel: string;
  children: ReactNode;
};

/** The submit button of a form, with the reason above it when it is disabled or refused. */
export function PlaceButton({
  reason,
  reasonId,
  isWrong,
  disabled = false,
  busy,
  busyLabel,
  children,
}: PlaceButtonProps) {
  return (
    <>
      {reason && (
        <p id={reasonId} className={classes.reason} data-wrong={isWrong || undefined}>
          {reason}
        </p>
      )}
      <BusyButton
        type="submit"
        size="lg"
        fullWidth
        busy={busy}
        busyLabel={busyLabel}
        disabled={disabled}
        aria-describedby={reason ? reasonId : undefined}
      >
        {children}
      </BusyButton>
    </>
  );
}
