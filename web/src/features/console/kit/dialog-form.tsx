import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, type ReactNode, useLayoutEffect, useState } from 'react';
import type { OperatorCode } from '#contract/fields.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Segments } from '../../../ui/forms/segments.tsx';
import { useFirstError } from '../../../ui/forms/use-first-error.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { Refusal } from '../../../ui/plain/refusal.tsx';
import type { CodeField } from './code-field.tsx';
import { useOperatorMutation } from './use-operator-mutation.ts';
import { usePasskeyProof } from './use-passkey-proof.ts';

type FieldErrors<V> = Partial<Record<keyof V, string | undefined>>;
const FIRST_FIELD = 'textarea, input:checked, input:not([type="hidden"]):not([type="radio"])';
export const REASON_MISSING = 'Enter a reason.';

/** The data of a form that its fields need; choices are strings, too. */
export type FieldsOf<V extends Record<string, string>> = {
  values: V;
  set: (field: keyof V, value: string) => void;
  /** For a text field: line breaks become spaces. */
  typed: (field: keyof V) => {
    value: string;
    error: string | undefined;
    readOnly: boolean;
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
  /** For `CodeField`. */
  code: (field: keyof V) => Parameters<typeof CodeField>[0];
};

/** The typed values; `otp` may also be the answer of a passkey. */
export type Sent<V> = { [K in keyof V]: K extends 'otp' ? OperatorCode : V[K] };

type DialogFormProps<V extends Record<string, string>> = {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  initial: V;
  /** Errors by field; values are trimmed. */
  check: (values: V) => FieldErrors<V>;
  /** `onError` shows the server's errors at their fields. */
  onSend: (values: Sent<V>, onError: (error: Error) => void) => void;
  /** The server's field names, where they differ. */
  nameOf?: Readonly<Record<string, keyof V>>;
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  danger?: boolean;
  /** Only a passkey confirms, even if there is an authenticator app. */
  requiresPasskey?: boolean;
  /** Nothing can be submitted. */
  isBlocked?: boolean;
  children: (fields: FieldsOf<V>) => ReactNode;
};

/** A dialog with fields, their errors, and the button that sends them. */
export function DialogForm<V extends Record<string, string>>(props: DialogFormProps<V>) {
  const { opened, onClose, title, size = 440, isBusy } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size} isHeld={isBusy}>
      {/* Mounted each time: no input of one record is left for the next. */}
      <Form {...props} />
    </Dialog>
  );
}

function Form<V extends Record<string, string>>(props: DialogFormProps<V>) {
  const {
    onClose,
    initial,
    check,
    onSend,
    nameOf = {},
    confirm,
    busyLabel,
    isBusy,
    danger,
    requiresPasskey = false,
    isBlocked,
    children,
  } = props;
  const { form, focusFirstError } = useFirstError();
  const proof = usePasskeyProof();
  const passkey = { ...proof, isOnly: proof.isOnly || (proof.isOffered && requiresPasskey) };
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<V>>({});
  const [refused, setRefused] = useState<Error | null>(null);

  // The first field takes the focus (of a choice, the chosen option), or without one Cancel, not the close button.
  useLayoutEffect(() => {
    const first = form.current?.querySelector(FIRST_FIELD) ?? form.current?.querySelector('button');
    first?.setAttribute('data-autofocus', 'true');
  }, [form]);
  const show = (next: FieldErrors<V>) => {
    setErrors(next);
    focusFirstError();
  };
  const set = (field: keyof V, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    if (value !== '') setErrors((before) => ({ ...before, [field]: undefined }));
  };
  const fail = (error: Error) => {
    setRefused(error);
    const found: FieldErrors<V> = {};
    for (const [name, problem] of Object.entries(error instanceof CallError ? error.fields : {})) {
      found[(nameOf[name] ?? name) as keyof V] = problem;
    }
    if (found.otp !== undefined) setValues((before) => ({ ...before, otp: '' }));
    show(found);
  };
  const send = (isByPasskey: boolean) => {
    if (isBusy || isBlocked || passkey.isAsking) return;
    const trimmed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as V;
    const missing = { ...check(trimmed) };
    const asksForPasskey = isByPasskey && missing.otp !== undefined;
    if (asksForPasskey) delete missing.otp;
    show(missing);
    setRefused(null);
    if (Object.values(missing).some((problem) => problem !== undefined)) return;
    if (!asksForPasskey) onSend(trimmed as Sent<V>, fail);
    else passkey.ask((otp) => onSend({ ...trimmed, otp } as Sent<V>, fail));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(passkey.isOnly);
  };
  const field = (name: keyof V) => ({ value: values[name] as string, readOnly: isBusy });

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      {children({
        values,
        set,
        typed: (name) => ({
          ...field(name),
          error: errors[name],
          onChange: (event) => set(name, event.currentTarget.value.replaceAll('\n', ' ')),
        }),
        code: (name) => ({
          ...field(name),
          problem: errors[name],
          onChange: (otp) => set(name, otp),
          passkey,
          onPasskey: () => send(true),
          // The dialog sets the focus: if a code field took it, it would be returned there when the dialog closes.
          autoFocus: false,
        }),
      })}
      <Refusal error={passkey.error} />
      <Refusal error={isBlocked ? null : refused} />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton
          type="submit"
          variant={danger ? 'danger' : 'filled'}
          disabled={isBlocked ?? false}
          busy={isBusy || passkey.isAsking}
          busyLabel={passkey.isAsking ? 'Confirming' : busyLabel}
        >
          {confirm}
        </BusyButton>
      </div>
    </form>
  );
}

type SendDialogProps<V extends Record<string, string>, T> = Omit<DialogFormProps<V>, 'isBusy' | 'onSend'> & {
  send: (values: Sent<V>) => Promise<T>;
  /** Queries that are reloaded, whether it succeeds or not. */
  refreshes: readonly (string | QueryKey)[];
  /** The toast on success, which closes the dialog. */
  done: (result: T) => readonly [title: string, text?: string];
  /** The record was changed after the dialog opened: it closes, to be reopened with the new version. */
  isStale?: (error: CallError) => boolean;
};

/** A dialog that submits its fields. */
export function SendDialog<V extends Record<string, string>, T>(props: SendDialogProps<V, T>) {
  const { send, refreshes, done, isStale, ...form } = props;
  const sending = useOperatorMutation(send, refreshes);
  return (
    <DialogForm
      {...form}
      isBusy={sending.isPending}
      onSend={(values, onError) =>
        sending.mutate(values, {
          onSuccess: (result) => {
            toast.success(...done(result));
            form.onClose();
          },
          onError: (error) => (error instanceof CallError && isStale?.(error) ? form.onClose() : onError(error)),
        })
      }
    />
  );
}

/** For what another operator has to approve; `done` as in `Limits proposed`. */
export const toApprove =
  (done: string) =>
  ({ reference }: { reference: string }) =>
    [done, `${reference} needs approval by a second operator.`] as const;

/** A choice of a few short options, labelled like a field. */
export const SegmentsField = <T extends string>(props: Omit<Parameters<typeof Segments<T>>[0], 'fullWidth'>) => (
  <div>
    <div className={classes.label} aria-hidden="true">
      {props.label}
    </div>
    <Segments<T> {...props} fullWidth />
  </div>
);

const AMOUNT = /^[+−-]?(\d{1,10}|\d{1,3}(,\d{3}){1,3})(\.\d{1,6})?$/;

/**
 * Dollars as typed, with a minus for a debit; undefined when invalid, or 0. Commas are allowed only as thousands
 * separators: "12,5" may mean 12.5. `readSignedAmount('−1,250.5') === -1250.5`
 */
export function readSignedAmount(text: string): number | undefined {
  const typed = text.trim();
  if (!AMOUNT.test(typed)) return undefined;
  const amount = Number(typed.replaceAll(',', '').replace('−', '-'));
  return amount === 0 ? undefined : amount;
}
