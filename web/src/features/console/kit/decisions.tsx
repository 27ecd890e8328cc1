import { Button, Textarea, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { CodeField, codeFault } from './code-field.tsx';
import { DialogForm, REASON_MISSING, type Sent } from './dialog-form.tsx';

/** How the dialog of one action asks for it. */
export type DecisionWords = {
  button: string;
  title: string;
  /** What happens then. */
  text: string;
  /** On the button that sends it; without it, `button`. */
  confirm?: string;
  /** On that button meanwhile; without it, `Saving`. */
  busy?: string;
  /** To the disadvantage of a member or an operator. */
  danger?: true;
  /** Who reads the reason; without it, the dialog has no such field. */
  reason?: string;
  /** Of the field for the hash of a payment outside. */
  transaction?: string;
  /** Whether it takes a fresh code of the authenticator app, or a passkey. */
  otp?: true;
  /** The toast afterwards. */
  done: string;
};

type TypedValues = { reason: string; transaction: string; otp: string };
type DecisionValues = Sent<TypedValues>;

/** An action, with the version that the operator saw when they began it. */
export type Decision<Action> = { action: Action; version: number; values: DecisionValues };

type Deciding<Action, T> = {
  /** Of what is on screen now; always 1 where there are no versions. */
  version: number;
  wordsOf: (action: Action) => DecisionWords;
  mutation: UseMutationResult<T, Error, Decision<Action>>;
  onDone?: (decided: T) => void;
};

export type Decisions = { buttons: readonly ReactNode[]; dialog: ReactNode; changed: string | undefined };

const STALE = 'Another operator changed this. Close the dialog and check again.';
const nothing: TypedValues = { reason: '', transaction: '', otp: '' };

/** Whether the same input may succeed later, or after a field was corrected. */
const canRetry = (error: Error): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500 || Object.keys(error.fields).length > 0);

/**
 * The dialog that asks for what an action takes, and what the server says when a colleague was faster. It decides about
 * the version it was opened on: a later one is never decided by accident.
 */
export function useDecisionDialog<Action, T>({ version, wordsOf, mutation, onDone }: Deciding<Action, T>) {
  const [begun, setBegun] = useState<{ action: Action; version: number; words: DecisionWords }>();
  const [isOpen, setOpen] = useState(false);
  const [changed, setChanged] = useState<string>();

  const begin = (action: Action) => {
    setChanged(undefined);
    setBegun({ action, version, words: wordsOf(action) });
    setOpen(true);
  };
  const confirm = (values: DecisionValues, onError: (error: Error) => void) => {
    if (!begun) return;
    mutation.mutate(
      { action: begun.action, version: begun.version, values },
      {
        onSuccess: (decided) => {
          setOpen(false);
          onDone?.(decided);
          toast.success(begun.words.done);
        },
        onError: (error) => {
          if (canRetry(error)) return onError(error);
          setOpen(false);
          if (error instanceof CallError && error.status === 409) setChanged(error.message);
        },
      },
    );
  };
  const isStale = isOpen && !mutation.isPending && begun?.version !== version;
  const dialog = begun && (
    <DecisionDialog
      words={begun.words}
      opened={isOpen}
      onClose={() => setOpen(false)}
      isBusy={mutation.isPending}
      isStale={isStale}
      onConfirm={confirm}
    />
  );
  return { begin, dialog, changed };
}

/** The same with a button for each action, of something that is decided about in one place. */
export function useDecisions<Action extends string, T>({
  actions,
  ...deciding
}: Deciding<Action, T> & { actions: readonly Action[] }): Decisions {
  const { wordsOf } = deciding;
  const { begin, dialog, changed } = useDecisionDialog(deciding);
  const main = actions.findLast((action) => !wordsOf(action).danger);
  const buttons = actions.map((action) => {
    const { button, danger } = wordsOf(action);
    return (
      <Button
        key={action}
        size="lg"
        variant={danger ? 'danger' : action === main ? 'filled' : 'default'}
        onClick={() => begin(action)}
      >
        {button}
      </Button>
    );
  });
  return { buttons, dialog, changed };
}

type DecisionDialogProps = {
  words: DecisionWords;
  opened: boolean;
  onClose: () => void;
  isBusy: boolean;
  /** Another operator changed the record since: nothing can be sent. */
  isStale: boolean;
  onConfirm: (values: DecisionValues, onError: (error: Error) => void) => void;
};

function DecisionDialog({ words, isStale, onConfirm, ...dialog }: DecisionDialogProps) {
  const { button, title, text, confirm = button, busy = 'Saving', danger = false } = words;
  return (
    <DialogForm<TypedValues>
      {...dialog}
      {...{ title, confirm, danger }}
      busyLabel={busy}
      initial={nothing}
      nameOf={{ why: 'reason', note: 'reason' }}
      isBlocked={isStale}
      onSend={onConfirm}
      check={({ reason, transaction, otp }) => ({
        ...(words.reason && reason === '' && { reason: REASON_MISSING }),
        ...(words.transaction && transaction === '' && { transaction: 'Enter the transaction hash.' }),
        ...(words.otp && codeFault(otp)),
      })}
    >
      {({ typed, code }) => (
        <>
          <div className={classes.words}>{text}</div>
          {isStale && <Banner tone="amber">{STALE}</Banner>}
          {words.reason && (
            <Textarea
              label="Reason"
              description={words.reason}
              data-autofocus
              rows={3}
              maxLength={300}
              {...typed('reason')}
            />
          )}
          {words.transaction && (
            <TextInput
              label="Transaction hash"
              description={words.transaction}
              {...(!words.reason && { 'data-autofocus': true })}
              autoComplete="off"
              spellCheck={false}
              {...typed('transaction')}
            />
          )}
          {words.otp && <CodeField {...code('otp')} />}
        </>
      )}
    </DialogForm>
  );
}
