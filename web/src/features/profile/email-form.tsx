import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { personRules } from '../../entities/member/check.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import form from '../../ui/forms/dialog-form.module.css';

type EmailFormProps = {
  /** The address in force, when it is the one to confirm; undefined: another one is asked for. */
  known: string | undefined;
  isBusy: boolean;
  onCancel: () => void;
  onAsk: (email: string, onError: (error: Error) => void) => void;
  /** What follows. */
  children: ReactNode;
};

/** Step 1: which address, and what comes of it. */
export function EmailForm({ known, isBusy, onCancel, onAsk, children }: EmailFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(known ?? '');
  const [fault, setFault] = useState<string | null>(null);

  const show = (message: string | null) => {
    setFault(message);
    if (message !== null) field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = known === undefined ? personRules.email(email) : null;
    show(found);
    if (found !== null) return;
    onAsk(email.trim(), (error) => show(error instanceof CallError ? (error.fields.email ?? null) : null));
  };

  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        label={known === undefined ? 'New mail address' : 'Mail address'}
        type="email"
        inputMode="email"
        autoComplete={known === undefined ? 'email' : 'off'}
        spellCheck={false}
        data-autofocus
        readOnly={known !== undefined || isBusy}
        error={fault}
        errorProps={{ role: 'alert' }}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setFault(null);
        }}
      />
      <p className={form.words}>{children}</p>
      <div className={form.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={isBusy} busyLabel="Sending">
          Send me a code
        </BusyButton>
      </div>
    </form>
  );
}
