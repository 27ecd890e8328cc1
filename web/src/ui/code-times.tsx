import { UnstyledButton } from '@mantine/core';
import classes from './code-entry.module.css';
import { formatCountdown } from './format/time.ts';
import { useRealNow } from './use-real-now.ts';

type CodeTimesProps = {
  expiresAt: string;
  resendAt: string;
  isSending: boolean;
  onSendAgain: () => void;
};

/** How long a mailed code still works, and when another one can be sent. */
export function CodeTimes({ expiresAt, resendAt, isSending, onSendAgain }: CodeTimesProps) {
  const now = useRealNow();
  const validMs = Date.parse(expiresAt) - now;
  const resendMs = Date.parse(resendAt) - now;
  return (
    <div className={classes.meta}>
      <span>{validMs > 0 ? `Valid for ${formatCountdown(validMs)}` : 'This code has expired'}</span>
      {resendMs > 0 ? (
        <span>Send again in {formatCountdown(resendMs)}</span>
      ) : (
        <UnstyledButton className={classes.again} onClick={onSendAgain} disabled={isSending}>
          {isSending ? 'Sending' : 'Send again'}
        </UnstyledButton>
      )}
    </div>
  );
}
