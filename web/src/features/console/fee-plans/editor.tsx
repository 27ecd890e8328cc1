import { Box, Button, Group, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import { consoleFeePlans } from '#contract/endpoints.ts';
import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { CallError } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { sendTo } from '../../../api/send-to.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { useDraft } from '../../../ui/use-draft.ts';
import { DetailFoot, DetailSection } from '../kit/detail-panel.tsx';
import { REASON_MISSING } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { DryRun } from './dry-run.tsx';
import classes from './fee-plans.module.css';
import { feePlanKind } from './queries.ts';
import { type Draft, draftOf, type FieldErrors, readDraft } from './terms.ts';
import { TermsForm } from './terms-form.tsx';

type EditorProps = {
  current: FeePlan;
  next: FeePlan | undefined;
  onProposed: (proposal: FeePlanProposal) => void;
};

/** A fee plan is derived from the newest one: the fields, their changes, a dry run and the reason. */
export function Editor({ current, next, onProposed }: EditorProps) {
  const base = next ?? current;
  const frame = useRef<HTMLDivElement>(null);
  const propose = useOperatorMutation(sendTo(consoleFeePlans.proposeFeePlan), [feePlanKind.key, 'overview']);
  // Switching tabs and reloading the page keep what was typed.
  const untouched: Draft & { reason: string } = { ...draftOf(base.terms), reason: '' };
  const { draft: typed, change, clear } = useDraft(`operator-${useOperator().id}`, `fee-plan/${base.id}`, untouched);
  const { reason: note, ...draft } = typed;
  const [errors, setErrors] = useState<FieldErrors>({});
  const read = readDraft(draft);
  const terms = 'terms' in read ? read.terms : undefined;
  const isSame = terms !== undefined && listChanges(base.terms, terms).length === 0;

  const type = (key: string, text: string) => {
    change({ [key]: text });
    setErrors(({ [key]: _, ...others }) => others);
  };
  const show = (found: FieldErrors) => {
    setErrors(found);
    const marked = frame.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [];
    const first = [...marked].find(
      (one) => found[one.dataset.field ?? ''] !== undefined || one.getAttribute('aria-invalid') === 'true',
    );
    first?.focus();
  };
  const startOver = () => {
    change(untouched);
    setErrors({});
  };
  const send = () => {
    if (propose.isPending) return;
    const missing: FieldErrors = note.trim() === '' ? { reason: REASON_MISSING } : {};
    if (terms === undefined || note.trim() === '')
      return show({ ...('errors' in read ? read.errors : {}), ...missing });
    propose.mutate(
      { base_id: base.id, terms, reason: note.trim() },
      {
        onSuccess: (proposal) => {
          toast.success('Fee plan proposed', `${proposal.reference} needs approval by a second admin.`);
          clear();
          setErrors({});
          onProposed(proposal);
        },
        onError: (error) => error instanceof CallError && show(error.fields),
      },
    );
  };

  return (
    <div className={classes.editor} ref={frame}>
      <TermsForm current={current.terms} next={next?.terms} editing={{ draft, errors, onType: type }} />
      <aside className={classes.side} aria-label="Proposal">
        <VisuallyHidden component="h2">Proposal</VisuallyHidden>
        <DetailSection title="Changes">
          {terms ? (
            <ChangeList from={base.terms} to={terms} />
          ) : (
            <Text size="sm" c="var(--tw-text-2)">
              Correct the marked fields first.
            </Text>
          )}
        </DetailSection>
        <DetailSection title="Effect on the last session">
          <Stack gap={10} align="flex-start">
            <DryRun terms={terms} onInvalid={() => 'errors' in read && show(read.errors)} />
          </Stack>
        </DetailSection>
        <DetailSection title="Reason">
          <Textarea
            aria-label="Reason"
            description="Published on the fee page."
            data-field="reason"
            rows={2}
            maxLength={200}
            value={note}
            error={errors.reason}
            // A single line: line breaks are replaced by spaces.
            onChange={(event) => {
              type('reason', event.currentTarget.value.replaceAll('\n', ' '));
            }}
          />
        </DetailSection>
        <Box pos="sticky" bottom={0} mt="auto" bg="var(--tw-surface)">
          <DetailFoot
            note={
              isSame
                ? 'Change a field to propose a new fee plan.'
                : 'A second admin approves it. It applies from the next session that opens.'
            }
          >
            <Button variant="default" size="lg" disabled={propose.isPending} onClick={startOver}>
              Reset
            </Button>
            <BusyButton size="lg" disabled={isSame} busy={propose.isPending} busyLabel="Proposing" onClick={send}>
              Propose fee plan
            </BusyButton>
          </DetailFoot>
        </Box>
      </aside>
    </div>
  );
}

/** The fields in which two fee plans differ. */
export function ChangeList({ from, to }: { from: FeePlanTerms; to: FeePlanTerms }) {
  const changes = listChanges(from, to);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="var(--tw-text-2)">
        No changes.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap={6} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {changes.map(({ label, now, next }) => (
        <Group key={label} component="li" justify="space-between" wrap="nowrap" fz="sm" lh="1.25rem">
          <span>{label}</span>
          <Box component="span" flex="none" ta="right">
            <Text component="del" inherit td="none" c="dimmed">
              {now}
            </Text>{' '}
            <span aria-hidden="true">→</span>{' '}
            <Text component="ins" inherit td="none" fw={500}>
              {next}
            </Text>
          </Box>
        </Group>
      ))}
    </Stack>
  );
}
