import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { otpLength } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import classes from './decision-dialog.module.css';

export type DecisionValues = { reason: string; transaction: string; otp: string };

type Asked = {
  /** A sentence; who reads it, as the hint. */
  reason?: { label: string; hint: string };
  /** The hash of a payment outside. */
  transaction?: { hint: string };
  /** A fresh code of the authenticator app. */
  otp?: boolean;
};

type DecisionDialogProps = {
  /** Closed while undefined; what it is about stays in sight while it fades. */
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What happens, with its result now. */
  children: ReactNode;
  asks: Asked;
  confirm: string;
  busyLabel: string;
  /** A decision against somebody. */
  danger?: boolean;
  isBusy: boolean;
  /** Said when what it is about was changed by somebody else since the dialog opened; nothing can be decided then. */
  stale?: string | undefined;
  onConfirm: (values: DecisionValues, onError: (error: Error) => void) => void;
};

/** Asks for what a decision takes, all in one place, and says what is wrong with it at its field. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { opened, onClose, title, isBusy } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440} isHeld={isBusy}>
      {/* Mounted anew each time: nothing that was typed for one decision is there for the next. */}
      <DecisionForm {...props} />
    </Dialog>
  );
}

type Faults = Partial<Record<keyof DecisionValues, string>>;
const nothing: DecisionValues = { reason: '', transaction: '', otp: '' };

function DecisionForm({
  onClose,
  children,
  asks,
  confirm,
  busyLabel,
  danger,
  isBusy,
  stale,
  onConfirm,
}: DecisionDialogProps) {
  const firstCell = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const transactionField = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Faults>({});

  const set = (field: keyof DecisionValues, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    if (value !== '') setFaults((before) => ({ ...before, [field]: undefined }));
  };
  const show = (next: Faults) => {
    setFaults(next);
    if (next.reason !== undefined) reasonField.current?.focus();
    else if (next.transaction !== undefined) transactionField.current?.focus();
    else if (next.otp !== undefined) firstCell.current?.focus();
  };
  const fail = (error: Error) => {
    const fields = error instanceof CallError ? error.fields : {};
    if (fields.otp !== undefined) setValues((before) => ({ ...before, otp: '' }));
    show({ reason: fields.reason ?? fields.why, transaction: fields.transaction, otp: fields.otp } as Faults);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || stale) return;
    const missing: Faults = {};
    if (asks.reason && values.reason.trim() === '') missing.reason = 'Say why.';
    if (asks.transaction && values.transaction.trim() === '') missing.transaction = 'Enter the transaction hash.';
    if (asks.otp && values.otp.length !== otpLength) missing.otp = `The code has ${otpLength} digits.`;
    show(missing);
    if (Object.keys(missing).length > 0) return;
    onConfirm({ reason: values.reason.trim(), transaction: values.transaction.trim(), otp: values.otp }, fail);
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.words}>{children}</div>
      {stale && <Banner tone="amber">{stale}</Banner>}
      {asks.reason && (
        <Textarea
          ref={reasonField}
          label={asks.reason.label}
          description={asks.reason.hint}
          data-autofocus
          rows={3}
          maxLength={300}
          readOnly={isBusy}
          value={values.reason}
          error={faults.reason}
          // One line of text: what Enter would break is joined again.
          onChange={(event) => set('reason', event.currentTarget.value.replaceAll('\n', ' '))}
        />
      )}
      {asks.transaction && (
        <TextInput
          ref={transactionField}
          label="Transaction hash"
          description={asks.transaction.hint}
          {...(!asks.reason && { 'data-autofocus': true })}
          autoComplete="off"
          spellCheck={false}
          readOnly={isBusy}
          value={values.transaction}
          error={faults.transaction}
          onChange={(event) => set('transaction', event.currentTarget.value)}
        />
      )}
      {asks.otp && (
        <CodeEntry
          label="Code of your authenticator app"
          firstCell={firstCell}
          value={values.otp}
          problem={faults.otp}
          readOnly={isBusy}
          onChange={(otp) => set('otp', otp)}
        />
      )}
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton
          type="submit"
          variant={danger ? 'danger' : 'filled'}
          disabled={stale !== undefined}
          busy={isBusy}
          busyLabel={busyLabel}
        >
          {confirm}
        </BusyButton>
      </div>
    </form>
  );
}
