import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { otpLength } from '#contract/rules.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { CodeEntry } from '../../ui/code-entry.tsx';
import classes from './otp-form.module.css';

type OtpFormProps = {
  isPending: boolean;
  onSend: (otp: string, onError: (error: Error) => void) => void;
  /** The times of a mailed code. */
  times?: ReactNode;
};

/** Six cells; a full code goes to the server by itself, also a pasted one. */
export function OtpForm({ isPending, onSend, times }: OtpFormProps) {
  const firstCell = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [problem, setProblem] = useState<string>();

  const send = (code: string) => {
    if (code.length !== otpLength || isPending) return;
    onSend(code, (error) => {
      setOtp('');
      setProblem(error.message);
      firstCell.current?.focus();
    });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(otp);
  };

  return (
    <form onSubmit={submit} noValidate>
      <CodeEntry
        firstCell={firstCell}
        value={otp}
        problem={problem}
        readOnly={isPending}
        onChange={(value) => {
          setOtp(value);
          if (value !== '') setProblem(undefined);
          send(value);
        }}
      />
      {times ?? <div className={classes.gap} />}
      <BusyButton
        type="submit"
        size="lg"
        fullWidth
        disabled={otp.length !== otpLength}
        busy={isPending}
        busyLabel="Verifying"
      >
        Verify
      </BusyButton>
    </form>
  );
}
