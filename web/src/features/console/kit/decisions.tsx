import { Button, Textarea, TextInput } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { CodeField, codeError } from './code-field.tsx';
import { DialogForm, REASON_MISSING } from './dialog-form.tsx';
import type { Sent } from './use-fields.ts';
import { useOperatorMutation } from './use-operator-mutation.ts';

/** The dialog of one action. */
export type DecisionOptions = {
  button: string;
  title: string;
  /** The consequences. */
  text: string;
  /** Label of the submit button; by default `button`. */
  confirm?: string;
  /** Its label while busy; by default `Saving`. */
  busy?: string;
  /** Whether it disadvantages a member or an operator. */
  danger?: true;
  /** Who can read the reason; without it, the dialog has no such field. */
  reason?: string;
  /** Label of the field for the hash of an external payment. */
  transaction?: string;
  /** Whether it requires a fresh code of the authenticator app, or a passkey. */
  otp?: true;
  /** The toast afterwards. */
  done: string;
};

type TypedValues = { reason: string; transaction: string; otp: string };
type DecisionValues = Sent<TypedValues>;

/** An action: its dialog, and its call, which carries the version that the operator saw on opening. */
export type Decision<T = unknown> = DecisionOptions & {
  send: (values: DecisionValues, version: number) => Promise<T>;
};

type Deciding<Action, T> = {
  /** Of the record on screen now; omitted where there are no versions. */
  version?: number;
  decisionOf: (action: Action) => Decision<T>;
  /** Queries that are reloaded, whether it succeeds or not. */
  refreshes: readonly (string | QueryKey)[];
  onDone?: (decided: T) => void;
};

export type Decisions = { buttons: readonly ReactNode[]; dialog: ReactNode; changed: string | undefined };

const STALE = 'This changed after you opened the dialog. Close it and check again.';
const nothing: TypedValues = { reason: '', transaction: '', otp: '' };

/** Whether the same input may succeed later, or after a field was corrected. */
const canRetry = (error: Error): boolean =>
  error instanceof CallError && (error.status === 0 || error.status >= 500 || Object.keys(error.fields).length > 0);

/**
 * The dialog of an action, and the server's reply when a colleague was faster. It decides about the version it was
 * opened with: a later one is never decided by accident.
 */
export function useDecisionDialog<Action, T>({ version = 1, decisionOf, refreshes, onDone }: Deciding<Action, T>) {
  type Prompt = { decision: Decision<T>; version: number };
  const [prompt, setPrompt] = useState<Prompt>();
  const [isOpen, setOpen] = useState(false);
  const [changed, setChanged] = useState<string>();
  const mutation = useOperatorMutation(
    (sent: Prompt & { values: DecisionValues }) => sent.decision.send(sent.values, sent.version),
    refreshes,
  );

  const begin = (action: Action) => {
    setChanged(undefined);
    setPrompt({ decision: decisionOf(action), version });
    setOpen(true);
  };
  const confirm = (values: DecisionValues, onError: (error: Error) => void) => {
    if (!prompt) return;
    mutation.mutate(
      { ...prompt, values },
      {
        onSuccess: (decided) => {
          setOpen(false);
          onDone?.(decided);
          toast.success(prompt.decision.done);
        },
        onError: (error) => {
          if (canRetry(error)) return onError(error);
          setOpen(false);
          if (error instanceof CallError && error.status === 409) setChanged(error.message);
        },
      },
    );
  };
  const isStale = isOpen && !mutation.isPending && prompt?.version !== version;
  const dialog = prompt && (
    <DecisionDialog
      words={prompt.decision}
      opened={isOpen}
      onClose={() => setOpen(false)}
      isBusy={mutation.isPending}
      isStale={isStale}
      onConfirm={confirm}
    />
  );
  return { begin, dialog, changed };
}

/** The same, with a button for each action, for a record that is decided about in one place. */
export function useDecisions<Action extends string, T>({
  actions,
  ...deciding
}: Deciding<Action, T> & { actions: readonly Action[] }): Decisions {
  const { decisionOf } = deciding;
  const { begin, dialog, changed } = useDecisionDialog(deciding);
  const main = actions.findLast((action) => !decisionOf(action).danger);
  const buttons = actions.map((action) => {
    const { button, danger } = decisionOf(action);
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
  words: DecisionOptions;
  opened: boolean;
  onClose: () => void;
  isBusy: boolean;
  /** The record changed meanwhile, perhaps by a decision whose reply was lost: nothing can be submitted. */
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
        ...(words.otp && codeError(otp)),
      })}
    >
      {({ typed, code }) => (
        <>
          <div className={classes.words}>{text}</div>
          {isStale && <Banner tone="amber">{STALE}</Banner>}
          {words.reason && (
            <Textarea label="Reason" description={words.reason} rows={3} maxLength={300} {...typed('reason')} />
          )}
          {words.transaction && (
            <TextInput
              label="Transaction hash"
              description={words.transaction}
              autoComplete="off"
              spellCheck={false}
              {...typed('transaction')}
            />
          )}
          {words.otp && <CodeField {...code('otp')} isFirst={!words.reason && !words.transaction} />}
        </>
      )}
    </DialogForm>
  );
}
