import type { ComponentProps } from 'react';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text.tsx';
import classes from './reason.module.css';

type PlaceButtonProps = Pick<ComponentProps<typeof BusyButton>, 'disabled' | 'busy' | 'busyLabel' | 'children'> & {
  /** Why it is disabled, or what is wrong with the form. */
  reason: string | undefined;
  reasonId: string;
  /** The reason is an error, not something to wait for. */
  isWrong: boolean;
  /** With a link to the deposit that the reason asks for. */
  needsDeposit?: boolean;
};

/** The submit button of a form, with the reason above it when it is disabled or refused. */
export function PlaceButton({ reason, reasonId, isWrong, needsDeposit = false, ...button }: PlaceButtonProps) {
  return (
    <>
      {reason && (
        <p id={reasonId} className={classes.reason} data-wrong={isWrong || undefined}>
          {reason}
          {needsDeposit && <TextLink to={paths.deposit}>{t`Deposit`}</TextLink>}
        </p>
      )}
      <BusyButton type="submit" size="lg" fullWidth aria-describedby={reason ? reasonId : undefined} {...button} />
    </>
  );
}
