import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { DecisionDialog, type DecisionValues } from './decision-dialog.tsx';

export type DecisionWords = {
  button: string;
  title: string;
  /** What happens now. */
  text: string;
  confirm: string;
  busy: string;
  /** A decision against somebody. */
  danger?: true;
  reason?: { label: string; hint: string };
  transaction?: { hint: string };
  otp?: true;
  /** The one fact that is told afterwards. */
  done: string;
};

/** A decision, about the version that the operator saw when they began it. */
export type Verdict<D> = { decision: D; version: number; values: DecisionValues };

type Deciding<D, T> = {
  /** Of what is on screen now; the same for ever of what has none. */
  version: number;
  wordsOf: (decision: D) => DecisionWords;
  mutation: UseMutationResult<T, Error, Verdict<D>>;
  /** Told how it stands then. */
  onDone?: (decided: T) => void;
};

const STALE = 'Somebody changed this since you began. Close it and look again.';

/**
 * The dialog that asks for what a decision takes, and what the server says when a colleague was faster. What the dialog
 * was opened on is what is decided: a later version is never decided by accident.
 */
export function useDecisionDialog<D, T>({ version, wordsOf, mutation, onDone }: Deciding<D, T>) {
  const [begun, setBegun] = useState<{ decision: D; version: number; words: DecisionWords }>();
  const [isOpen, setOpen] = useState(false);
  const [changed, setChanged] = useState<string>();

  const begin = (decision: D) => {
    setChanged(undefined);
    setBegun({ decision, version, words: wordsOf(decision) });
    setOpen(true);
  };
  const confirm = (values: DecisionValues, onError: (error: Error) => void) => {
    if (!begun) return;
    mutation.mutate(
      { decision: begun.decision, version: begun.version, values },
      {
        onSuccess: (decided) => {
          setOpen(false);
          onDone?.(decided);
          toast.success(begun.words.done);
        },
        onError: (error) => {
          // What is wrong with a field is said there; anything else was told, and nothing typed can mend it.
          if (error instanceof CallError && (error.status === 0 || Object.keys(error.fields).length > 0)) {
            return onError(error);
          }
          setOpen(false);
          if (error instanceof CallError && error.status === 409) setChanged(error.message);
        },
      },
    );
  };
  const dialog = begun && (
    <DecisionDialog
      opened={isOpen}
      onClose={() => setOpen(false)}
      title={begun.words.title}
      asks={begun.words}
      confirm={begun.words.confirm}
      busyLabel={begun.words.busy}
      danger={begun.words.danger ?? false}
      isBusy={mutation.isPending}
      stale={isOpen && !mutation.isPending && begun.version !== version ? STALE : undefined}
      onConfirm={confirm}
    >
      {begun.words.text}
    </DecisionDialog>
  );
  return { begin, dialog, changed };
}

/** The same with a button for each decision, of something that is decided about in one place. */
export function useDecisions<D extends string, T>({
  decisions,
  ...deciding
}: Deciding<D, T> & { decisions: readonly D[] }) {
  const { wordsOf } = deciding;
  const { begin, dialog, changed } = useDecisionDialog(deciding);
  const main = decisions.findLast((decision) => !wordsOf(decision).danger);
  const buttons = decisions.map((decision) => {
    const { button, danger } = wordsOf(decision);
    return (
      <Button
        key={decision}
        size="lg"
        variant={danger ? 'danger' : decision === main ? 'filled' : 'default'}
        onClick={() => begin(decision)}
      >
        {button}
      </Button>
    );
  });
  return { buttons, dialog, changed };
}
