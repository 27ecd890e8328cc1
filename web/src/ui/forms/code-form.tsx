import { Button, Input } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { isRequired, labels, otpLength, passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t, translate } from '../../api/texts.ts';
import { BusyButton } from './busy-button.tsx';
import { CodeEntry } from './code-entry.tsx';
import classes from './dialog-form.module.css';
import { PasswordField } from './password-field.tsx';

type Field = 'otp' | 'password';
type Values = Record<Field, string>;
/** `whole` is a refusal that names no field. */
type FieldErrors = Partial<Record<Field | 'whole', string | undefined>>;

export type CodeFormProps = {
  /** A dialog labels each field and states what is missing; a page asks for one thing, with large buttons. */
  layout: 'page' | 'dialog';
  asks: readonly Field[];
  /** A new password, checked by the rule for new ones, instead of the current one. */
  isNewPassword?: boolean;
  /** Where the code is found. */
  codeLabel?: string;
  /**
   * Submits a complete code without a button press, pasted ones too: for signing in. Where money or access to the
   * account changes, only the button submits.
   */
  sendsItself?: boolean;
  /** Above the fields: what is being confirmed. */
  children?: ReactNode;
  /** Below the cells: validity and resending of an emailed code. */
  times?: ReactNode;
  /** Below all fields: one more, which its owner validates before anything is sent. */
  foot?: ReactNode;
  confirm: string;
  /** What it confirms cannot be undone, or makes the account less safe. */
  danger?: true;
  busyLabel: string;
  isBusy: boolean;
  /** `onError` shows the server's field errors at their fields. */
  onConfirm: (values: Values, onError: (error: Error) => void) => void;
  /**
   * Shown when no response arrived: what pressing again does. The same code then repeats the same operation, so it is
   * retained.
   */
  unanswered?: string;
  back?: { label: string; onClick: () => void; hasFocus?: boolean };
};

/** A one-time code, the password, or both: confirms who is acting. */
export function CodeForm(props: CodeFormProps) {
  const { layout, asks, isNewPassword, sendsItself, isBusy, onConfirm, unanswered, back } = props;
  const isPage = layout === 'page';
  const firstCell = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  // Until `isBusy` is rendered: a second click or Enter may come before, and be refused, because a code works once.
  const isSent = useRef(false);
  const [values, setValues] = useState<Values>({ otp: '', password: '' });
  const [errors, setErrors] = useState<FieldErrors>({});

  const show = (next: FieldErrors) => {
    setErrors(next);
    if (next.otp !== undefined) firstCell.current?.focus();
    else if (next.password !== undefined) passwordField.current?.focus();
  };
  const fail = (error: Error) => {
    const { status = -1, fields = {} } = error instanceof CallError ? error : {};
    if (unanswered !== undefined && (status === 0 || status >= 500)) return setErrors({ otp: unanswered });
    const next: FieldErrors = {};
    // On a page that asks for one thing it is shown there, elsewhere above the buttons, as is what a device refused. Errors
    // of the field in `foot` are shown at that field.
    const isAlone = isPage && asks.length === 1 && fields.second_factor === undefined && error instanceof CallError;
    for (const field of asks) next[field] = fields[field] ?? (isAlone ? error.message : undefined);
    if (!isAlone && Object.keys(fields).length === 0) next.whole = error.message;
    if (next.otp !== undefined) setValues((before) => ({ ...before, otp: '' }));
    show(next);
  };
  const send = (sent: Values) => {
    if (isBusy || isSent.current) return;
    const next: FieldErrors = {};
    if (asks.includes('otp') && sent.otp.length !== otpLength) next.otp = t`The code has ${otpLength} digits.`;
    else if (asks.includes('password') && sent.password === '') next.password = translate(isRequired(labels.password));
    else if (isNewPassword && sent.password.length < passwordMinLength)
      next.password = t`At least ${passwordMinLength} characters.`;
    show(next);
    if (next.otp !== undefined || next.password !== undefined) return;
    isSent.current = true;
    onConfirm(sent, fail);
    setTimeout(() => {
      isSent.current = false;
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(values);
  };
  const change = (field: Field, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    // Cells cleared by a refusal keep its message.
    if (field === 'password' || value !== '') setErrors((before) => ({ ...before, [field]: undefined }));
    if (sendsItself && field === 'otp' && value.length === otpLength) send(next);
  };

  return (
    <form className={classes.form} data-layout={layout} onSubmit={submit} noValidate>
      {props.children}
      {asks.includes('otp') && (
        <div className={classes.code}>
          <CodeEntry
            firstCell={firstCell}
            label={props.codeLabel}
            value={values.otp}
            problem={errors.otp}
            readOnly={isBusy}
            onChange={(otp) => change('otp', otp)}
          />
          {props.times}
        </div>
      )}
      {asks.includes('password') && (
        <PasswordField
          ref={passwordField}
          label={translate(labels.password)}
          autoComplete={isNewPassword ? 'new-password' : 'current-password'}
          data-autofocus={asks.length === 1 && !back?.hasFocus ? true : undefined}
          error={errors.password}
          readOnly={isBusy}
          value={values.password}
          onChange={(event) => change('password', event.currentTarget.value)}
        />
      )}
      {props.foot}
      {errors.whole !== undefined && <Input.Error>{errors.whole}</Input.Error>}
      <div className={classes.actions}>
        {back && (
          <Button
            variant="subtle"
            disabled={isBusy}
            onClick={back.onClick}
            data-autofocus={back.hasFocus}
            {...(isPage && { size: 'lg' })}
          >
            {back.label}
          </Button>
        )}
        <BusyButton
          type="submit"
          disabled={isPage && asks.includes('otp') && values.otp.length !== otpLength}
          busy={isBusy}
          busyLabel={props.busyLabel}
          {...(isPage && { size: 'lg' })}
          {...(props.danger && { variant: 'danger' })}
        >
          {props.confirm}
        </BusyButton>
      </div>
    </form>
  );
}
