import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { otpLength } from '#contract/rules.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Banner } from '../../../ui/frame/banner.tsx';
import { CODE_MISSING, CodeField, DialogForm } from './dialog-form.tsx';

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

const nothing: DecisionValues = { reason: '', transaction: '', otp: '' };

/** Asks for what a decision takes, all in one place, and says what is wrong with it at its field. */
export function DecisionDialog({ asks, stale, children, onConfirm, ...dialog }: DecisionDialogProps) {
  return (
    <DialogForm<DecisionValues>
      {...dialog}
      initial={nothing}
      nameOf={{ why: 'reason' }}
      isBlocked={stale !== undefined}
      onSend={onConfirm}
      check={({ reason, transaction, otp }) => ({
        ...(asks.reason && reason === '' && { reason: 'Say why.' }),
        ...(asks.transaction && transaction === '' && { transaction: 'Enter the transaction hash.' }),
        ...(asks.otp && otp.length !== otpLength && { otp: CODE_MISSING }),
      })}
    >
      {({ typed, code }) => (
        <>
          <div className={classes.words}>{children}</div>
          {stale && <Banner tone="amber">{stale}</Banner>}
          {asks.reason && (
            <Textarea
              label={asks.reason.label}
              description={asks.reason.hint}
              data-autofocus
              rows={3}
              maxLength={300}
              {...typed('reason')}
            />
          )}
          {asks.transaction && (
            <TextInput
              label="Transaction hash"
              description={asks.transaction.hint}
              {...(!asks.reason && { 'data-autofocus': true })}
              autoComplete="off"
              spellCheck={false}
              {...typed('transaction')}
            />
          )}
          {asks.otp && <CodeField {...code('otp')} />}
        </>
      )}
    </DialogForm>
  );
}
