import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { isRequired, labels, otpLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { CodeEntry } from '../../ui/code-entry.tsx';
import classes from './dialog.module.css';
import { PasswordField } from './password-field.tsx';

type CodeFormProps = {
  /** Whether the current password is asked for as well. */
  withPassword: boolean;
  /** Where the code is found: label of the cells. */
  codeLabel: string;
  /** Above the cells. */
  children: ReactNode;
  /** Below them. */
  times?: ReactNode;
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  onConfirm: (values: { otp: string; password: string }, onError: (error: Error) => void) => void;
  back: string;
  onBack: () => void;
};

type Faults = { otp?: string | undefined; password?: string | undefined };

/**
 * A code and, where it changes who can get in, the current password. Unlike the code of a login a full one is not sent
 * by itself: only the button does it. What the server says of one of the two stands at its field.
 */
export function CodeForm(props: CodeFormProps) {
  const { withPassword, isBusy, onConfirm } = props;
  const firstCell = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});

  const show = (next: Faults) => {
    setFaults(next);
    if (next.otp !== undefined) firstCell.current?.focus();
    else if (next.password !== undefined) passwordField.current?.focus();
  };
  const fail = (error: Error) => {
    const { otp: code, password: word } = error instanceof CallError ? error.fields : {};
    if (code !== undefined) setOtp('');
    show({ otp: code, password: word });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (otp.length !== otpLength) return show({ otp: `The code has ${otpLength} digits.` });
    if (withPassword && password === '') return show({ password: isRequired(labels.password) });
    show({});
    onConfirm({ otp, password }, fail);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {props.children}
      <div>
        <div className={classes.label} aria-hidden="true">
          {props.codeLabel}
        </div>
        <CodeEntry
          firstCell={firstCell}
          value={otp}
          problem={faults.otp}
          readOnly={isBusy}
          onChange={(value) => {
            setOtp(value);
            if (value !== '') setFaults(({ password: word }) => ({ password: word }));
          }}
        />
        {props.times && <div className={classes.times}>{props.times}</div>}
      </div>
      {withPassword && (
        <PasswordField
          ref={passwordField}
          label="Password"
          autoComplete="current-password"
          error={faults.password}
          readOnly={isBusy}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setFaults(({ otp: code }) => ({ otp: code }));
          }}
        />
      )}
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={props.onBack}>
          {props.back}
        </Button>
        <BusyButton type="submit" busy={isBusy} busyLabel={props.busyLabel}>
          {props.confirm}
        </BusyButton>
      </div>
    </form>
  );
}
