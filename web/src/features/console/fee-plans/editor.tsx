import { Button, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { FeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { CallError } from '../../../api/call.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { ChangeList } from './change-list.tsx';
import { DryRun } from './dry-run.tsx';
import classes from './fee-plans.module.css';
import { usePropose } from './queries.ts';
import { type Draft, draftOf, type Faults, readDraft } from './terms.ts';
import { TermsForm } from './terms-form.tsx';

type EditorProps = {
  current: FeePlan;
  next: FeePlan | undefined;
  onProposed: (proposal: FeePlanProposal) => void;
};

/** A plan is written from the newest one: fields, what they change, what the last session would have come to, and the note. */
export function Editor({ current, next, onProposed }: EditorProps) {
  const base = next ?? current;
  const frame = useRef<HTMLDivElement>(null);
  const propose = usePropose();
  const [draft, setDraft] = useState<Draft>(() => draftOf(base.terms));
  const [note, setNote] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const read = readDraft(draft);
  const terms = 'terms' in read ? read.terms : undefined;
  const isSame = terms !== undefined && listChanges(base.terms, terms).length === 0;

  const type = (key: string, text: string) => {
    setDraft((before) => ({ ...before, [key]: text }));
    setFaults(({ [key]: _, ...others }) => others);
  };
  const show = (found: Faults) => {
    setFaults(found);
    const marked = frame.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [];
    const first = [...marked].find(
      (one) => found[one.dataset.field ?? ''] !== undefined || one.getAttribute('aria-invalid') === 'true',
    );
    first?.focus();
  };
  const startOver = () => {
    setDraft(draftOf(base.terms));
    setNote('');
    setFaults({});
  };
  const send = () => {
    if (propose.isPending) return;
    const missing: Faults = note.trim() === '' ? { reason: 'Say why.' } : {};
    if (terms === undefined || note.trim() === '')
      return show({ ...('faults' in read ? read.faults : {}), ...missing });
    propose.mutate(
      { base_id: base.id, terms, reason: note.trim() },
      {
        onSuccess: (proposal) => {
          toast.success('Proposed', `${proposal.reference} waits for a second admin.`);
          startOver();
          onProposed(proposal);
        },
        onError: (error) => error instanceof CallError && show(error.fields),
      },
    );
  };

  return (
    <div className={classes.editor} ref={frame}>
      <TermsForm current={current.terms} next={next?.terms} editing={{ draft, faults, onType: type }} />
      <aside className={classes.side} aria-label="Proposal">
        <section>
          <h2>What it changes</h2>
          {terms ? (
            <ChangeList from={base.terms} to={terms} />
          ) : (
            <p className={classes.quiet}>Something in the fields has to be put right first.</p>
          )}
        </section>
        <section>
          <h2>On the last session</h2>
          <DryRun terms={terms} onUnread={() => 'faults' in read && show(read.faults)} />
        </section>
        <section>
          <Textarea
            label="Note"
            description="Everybody reads it on the fee page."
            data-field="reason"
            rows={2}
            maxLength={200}
            value={note}
            error={faults.reason}
            // One line of text: what Enter would break is joined again.
            onChange={(event) => {
              setNote(event.currentTarget.value.replaceAll('\n', ' '));
              setFaults(({ reason: _, ...others }) => others);
            }}
          />
        </section>
        <div className={classes.buttons}>
          <Button variant="default" size="lg" disabled={propose.isPending} onClick={startOver}>
            Start over
          </Button>
          <BusyButton size="lg" disabled={isSame} busy={propose.isPending} busyLabel="Proposing" onClick={send}>
            Propose
          </BusyButton>
          <p>
            {isSame
              ? 'Change something to propose it.'
              : 'A second admin approves it; it is in force from the next session that opens.'}
          </p>
        </div>
      </aside>
    </div>
  );
}
