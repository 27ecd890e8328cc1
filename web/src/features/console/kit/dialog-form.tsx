import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect } from 'react';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Refusal } from '../../../ui/plain/refusal.tsx';
import { type FieldsOf, type FieldsOptions, type Sent, useFields } from './use-fields.ts';
import { useOperatorMutation } from './use-operator-mutation.ts';

const FIRST_FIELD = 'textarea, input:checked, input:not([type="hidden"]):not([type="radio"])';
export const REASON_MISSING = 'Enter a reason.';

type DialogFormProps<V extends Record<string, string>> = FieldsOptions<V> & {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: number;
  confirm: string;
  busyLabel: string;
  danger?: boolean;
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
  const { onClose, confirm, busyLabel, isBusy, danger, isBlocked, children } = props;
  const { form, fields, submit, passkey, refused } = useFields(props);

  // The first field takes the focus (of a choice, the chosen option), or without one Cancel, not the close button.
  useLayoutEffect(() => {
    const first = form.current?.querySelector(FIRST_FIELD) ?? form.current?.querySelector('button');
    first?.setAttribute('data-autofocus', 'true');
  }, [form]);

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      {children(fields)}
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
