import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { otpLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { CodeEntry } from '../../ui/code-entry.tsx';
import { CodeTimes } from '../../ui/code-times.tsx';
import classes from './emailed-code.module.css';
import type { SentCode } from './requested-state.ts';

type MailedCodeProps = {
  code: SentCode;
  isResending: boolean;
  onSendAgain: () => void;
  /** What is confirmed, whole. */
  children: ReactNode;
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  /** Told to the member when no answer came: what pressing again does. */
  unanswered: string;
  onConfirm: (otp: string, onError: (error: Error) => void) => void;
  onBack: () => void;
};

/**
 * The code from the mail under what it confirms. Unlike the code of a login a full one is not sent by itself: where
 * money or its address moves, only the button does it.
 */
export function MailedCode(props: MailedCodeProps) {
  const { code, isBusy, onConfirm } = props;
  const firstCell = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [problem, setProblem] = useState<string>();

  const fail = (error: Error) => {
    const isOpen = error instanceof CallError && (error.status === 0 || error.status >= 500);
    setProblem(isOpen ? props.unanswered : error.message);
    // A code that may have been taken is kept: the same one again is the same operation.
    if (isOpen) return;
    setOtp('');
    firstCell.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (otp.length !== otpLength || isBusy) return;
    setProblem(undefined);
    onConfirm(otp, fail);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {props.children}
      <p className={classes.sent}>
        {code.delayed ? (
          <>
            Mails are delayed at the moment. A {otpLength}‑digit code waits to go to <b>{code.sentTo}</b>; if it comes
            after it has expired, send another one.
          </>
        ) : (
          <>
            A {otpLength}‑digit code went to <b>{code.sentTo}</b>. It confirms exactly this and nothing else.
          </>
        )}
      </p>
      <div className={classes.code}>
        <CodeEntry
          firstCell={firstCell}
          value={otp}
          problem={problem}
          readOnly={isBusy}
          onChange={(value) => {
            setOtp(value);
            if (value !== '') setProblem(undefined);
          }}
        />
        <CodeTimes
          expiresAt={code.expiresAt}
          resendAt={code.resendAt}
          isSending={props.isResending}
          onSendAgain={props.onSendAgain}
        />
      </div>
      <div className={classes.actions}>
        <Button variant="subtle" size="lg" disabled={isBusy} onClick={props.onBack}>
          Back
        </Button>
        <BusyButton
          type="submit"
          size="lg"
          disabled={otp.length !== otpLength}
          busy={isBusy}
          busyLabel={props.busyLabel}
        >
          {props.confirm}
        </BusyButton>
      </div>
    </form>
  );
}
