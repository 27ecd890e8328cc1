import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { otpLength } from '#contract/rules.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { CodeEntry } from '../../../ui/code-entry.tsx';
import classes from '../sign-in/sign-in.module.css';

type CodeFormProps = {
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  onSend: (otp: string, onError: (error: Error) => void) => void;
  /** Above the cells. */
  children?: ReactNode;
};

/** The six digits of the authenticator app; a full code goes to the server by itself. */
export function CodeForm({ confirm, busyLabel, isBusy, onSend, children }: CodeFormProps) {
  const firstCell = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [problem, setProblem] = useState<string>();

  const send = (code: string) => {
    if (code.length !== otpLength || isBusy) return;
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
    <form className={classes.form} onSubmit={submit} noValidate>
      {children}
      <CodeEntry
        firstCell={firstCell}
        value={otp}
        problem={problem}
        readOnly={isBusy}
        onChange={(value) => {
          setOtp(value);
          if (value !== '') setProblem(undefined);
          send(value);
        }}
      />
      <BusyButton
        type="submit"
        size="lg"
        fullWidth
        disabled={otp.length !== otpLength}
        busy={isBusy}
        busyLabel={busyLabel}
      >
        {confirm}
      </BusyButton>
    </form>
  );
}
