import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import classes from '../../ui/forms/dialog-form.module.css';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';

type OneFieldFormProps = {
  field: TextInputProps;
  first: string;
  /** The error of what was typed, before it is sent. */
  check: (typed: string) => string | null;
  /** `refuse` shows the server's error at the field. */
  onSend: (typed: string, refuse: (message: string | undefined) => void) => void;
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  /** Shown above the buttons. */
  refused?: Error | null;
  onCancel: () => void;
  before?: ReactNode;
  children?: ReactNode;
};

/** The form of a dialog with one field. */
export function OneFieldForm(props: OneFieldFormProps) {
  const { field, first, check, onSend, isBusy, children } = props;
  const { form, focusFirstError } = useFirstError();
  const [text, setText] = useState(first);
  const [error, setError] = useState<string | null>(null);

  const show = (message: string | null) => {
    setError(message);
    focusFirstError();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = check(text);
    show(found);
    if (found === null) onSend(text.trim(), (message) => show(message ?? null));
  };

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      {props.before}
      <TextInput
        data-autofocus
        readOnly={isBusy}
        error={error}
        errorProps={{ role: 'alert' }}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
        {...field}
      />
      {children}
      <Refusal error={props.refused ?? null} />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={props.onCancel}>{t`Cancel`}</Button>
        <BusyButton type="submit" busy={isBusy} busyLabel={props.busyLabel}>
          {props.confirm}
        </BusyButton>
      </div>
    </form>
  );
}
