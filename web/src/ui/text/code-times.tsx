import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { otpLength } from '#contract/rules.ts';
import { formatCountdown } from '../format/time.ts';
import classes from '../forms/code-entry.module.css';
import form from '../forms/dialog-form.module.css';
import { useRealNow } from '../use-real-now.ts';

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

type CodeSentProps = {
  to: string;
  /** Mails wait. */
  delayed: boolean;
  /** What a code that comes back confirms. */
  children: ReactNode;
};

/** Where a mailed code went. */
export const CodeSent = ({ to, delayed, children }: CodeSentProps) => (
  <p className={form.words}>
    {delayed ? (
      <>
        Mails are delayed at the moment. A {otpLength}‑digit code waits to go to <b>{to}</b>; if it comes after it has
        expired, send another one.
      </>
    ) : (
      <>
        A {otpLength}‑digit code went to <b>{to}</b>. {children}
      </>
    )}
  </p>
);
