import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { otpLength } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { formatCountdown } from '../format/time.ts';
import classes from '../forms/code-entry.module.css';
import form from '../forms/dialog-form.module.css';
import { useRealNow } from '../use-real-now.ts';
import { Trans } from './text.tsx';

type CodeTimesProps = {
  expiresAt: string;
  resendAt: string;
  isSending: boolean;
  onSendAgain: () => void;
};

/** How long an emailed code is valid, and when another one can be sent. */
export function CodeTimes({ expiresAt, resendAt, isSending, onSendAgain }: CodeTimesProps) {
  const now = useRealNow();
  const validMs = Date.parse(expiresAt) - now;
  const resendMs = Date.parse(resendAt) - now;
  return (
    <div className={classes.meta}>
      <span>{validMs > 0 ? t`Valid for ${formatCountdown(validMs)}` : t`This code has expired`}</span>
      {resendMs > 0 ? (
        <span>{t`Resend in ${formatCountdown(resendMs)}`}</span>
      ) : (
        <UnstyledButton className={classes.again} onClick={onSendAgain} disabled={isSending}>
          {isSending ? t`Sending` : t`Resend code`}
        </UnstyledButton>
      )}
    </div>
  );
}

type CodeSentProps = {
  to: string;
  /** Emails are queued. */
  delayed: boolean;
  /** What entering the code confirms. */
  children: ReactNode;
};

/** Where the code was sent. */
export const CodeSent = ({ to, delayed, children }: CodeSentProps) => (
  <p className={form.words}>
    {delayed ? (
      <Trans
        text={t`Emails are delayed. A ${otpLength}‑digit code will be sent to <to/>. If it has expired when it arrives, request another one.`}
        to={<b>{to}</b>}
      />
    ) : (
      <>
        <Trans text={t`A ${otpLength}‑digit code was sent to <to/>.`} to={<b>{to}</b>} /> {children}
      </>
    )}
  </p>
);
