import { type ChangeEvent, type FormEvent, useState } from 'react';
import type { OperatorCode } from '#contract/fields.ts';
import { CallError } from '../../../api/call.ts';
import { useFirstError } from '../../../ui/forms/use-first-error.ts';
import type { CodeField } from './code-field.tsx';
import { usePasskeyProof } from './use-passkey-proof.ts';

type FieldErrors<V> = Partial<Record<keyof V, string | undefined>>;

/** The typed values; `otp` may also be the answer of a passkey. */
export type Sent<V> = { [K in keyof V]: K extends 'otp' ? OperatorCode : V[K] };

export type FieldsOptions<V extends Record<string, string>> = {
  initial: V;
  /** Errors by field; values are trimmed. */
  check: (values: V) => FieldErrors<V>;
  /** `onError` shows the server's errors at their fields. */
  onSend: (values: Sent<V>, onError: (error: Error) => void) => void;
  /** The server's field names, where they differ. */
  nameOf?: Readonly<Record<string, keyof V>>;
  isBusy: boolean;
  /** Only a passkey confirms, even if there is an authenticator app. */
  requiresPasskey?: boolean;
  /** Nothing can be submitted. */
  isBlocked?: boolean;
};

type Typed = {
  value: string;
  error: string | undefined;
  readOnly: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
};

/** What fields need of their form; choices are strings, too. */
export type FieldsOf<V extends Record<string, string>> = {
  values: V;
  set: (field: keyof V, value: string) => void;
  /** For a text field: line breaks become spaces. */
  typed: (field: keyof V) => Typed;
  /** For an amount. */
  amount: (field: keyof V) => Typed & { inputMode: 'decimal'; autoComplete: 'off' };
  /** For `CodeField`. */
  code: (field: keyof V) => Parameters<typeof CodeField>[0];
};

/** A form that a code or a passkey may confirm: what was typed, its errors, and how it is sent. */
export function useFields<V extends Record<string, string>>(options: FieldsOptions<V>) {
  const { initial, check, onSend, nameOf = {}, isBusy, requiresPasskey = false, isBlocked } = options;
  const { form, focusFirstError } = useFirstError();
  const proof = usePasskeyProof();
  const passkey = { ...proof, isOnly: proof.isOnly || (proof.isOffered && requiresPasskey) };
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<V>>({});
  const [refused, setRefused] = useState<Error | null>(null);

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
    const trimmed = trim(values);
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
  const typed = (name: keyof V): Typed => ({
    ...field(name),
    error: errors[name],
    onChange: (event) => set(name, event.currentTarget.value.replaceAll('\n', ' ')),
  });
  const fields: FieldsOf<V> = {
    values,
    set,
    typed,
    amount: (name) => ({ ...typed(name), inputMode: 'decimal', autoComplete: 'off' }),
    code: (name) => ({
      ...field(name),
      problem: errors[name],
      onChange: (otp) => set(name, otp),
      passkey,
      onPasskey: () => send(true),
      // The dialog sets the focus: if a code field took it, it would be returned there when the dialog closes.
      autoFocus: false,
    }),
  };
  return { form, fields, submit, passkey, refused, reset: () => setValues(initial) };
}

/** A password may begin or end with a space. */
const trim = <V extends Record<string, string>>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, name.endsWith('password') ? value : value.trim()]),
  ) as V;
