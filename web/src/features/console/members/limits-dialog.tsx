import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { MemberPage } from '#contract/operator/members.ts';
import { CallError } from '../../../api/call.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import { useTightenLimits } from './queries.ts';

type LimitsDialogProps = { page: MemberPage; opened: boolean; onClose: () => void };

/** Tighter limits for a member who asks for them or needs them. What is left empty stays as it is. */
export function LimitsDialog({ page, opened, onClose }: LimitsDialogProps) {
  const tighten = useTightenLimits(page.member.id);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`Tighten the limits of ${page.member.name}`}
      size={440}
      isHeld={tighten.isPending}
    >
      <LimitsForm limits={page.limits} tighten={tighten} onClose={onClose} />
    </Dialog>
  );
}

type LimitsFormProps = {
  limits: MemberPage['limits'];
  tighten: ReturnType<typeof useTightenLimits>;
  onClose: () => void;
};
type Values = { deposit_week: string; loss_day: string; pause_days: string; why: string };
const nothing: Values = { deposit_week: '', loss_day: '', pause_days: '', why: '' };

function LimitsForm({ limits, tighten, onClose }: LimitsFormProps) {
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const field = (name: keyof Values, label: string, now: string) => ({
    label,
    description: now,
    value: values[name],
    error: faults[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value.replaceAll('\n', ' ') }));
      setFaults(({ [name]: _, ...others }) => others);
    },
  });
  const numeric = { inputMode: 'numeric', autoComplete: 'off', readOnly: tighten.isPending } as const;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tighten.isPending) return;
    const why = values.why.trim();
    const numbers = readNumbers(values);
    const missing: Partial<Values> = { ...numbers.faults, ...(why === '' && { why: 'Say why.' }) };
    if (Object.keys({ ...numbers.read, ...numbers.faults }).length === 0)
      missing.deposit_week = 'Enter what to tighten.';
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    tighten.mutate(
      { ...numbers.read, why },
      {
        onSuccess: () => {
          toast.success('Limits tightened', 'The member was told.');
          onClose();
        },
        onError: (error) => error instanceof CallError && setFaults(error.fields),
      },
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.words}>
        In force at once. You can only tighten: the member can raise a limit again, after 24 hours, and a pause ends by
        itself.
      </p>
      <TextInput
        data-autofocus
        {...numeric}
        {...field('deposit_week', 'Deposits a week, in whole dollars', nowText(limits.deposit_week.amount))}
      />
      <TextInput
        {...numeric}
        {...field('loss_day', 'Loss a market day, in whole dollars', nowText(limits.loss_day.amount))}
      />
      <TextInput
        {...numeric}
        {...field(
          'pause_days',
          'Pause of trading and deposits, in days',
          limits.paused_until === null ? 'Now: none' : `Now: until ${formatDateTime(limits.paused_until)}`,
        )}
      />
      <Textarea
        rows={2}
        maxLength={300}
        readOnly={tighten.isPending}
        {...field('why', 'Reason', 'The member reads it.')}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={tighten.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={tighten.isPending} busyLabel="Saving">
          Tighten
        </BusyButton>
      </div>
    </form>
  );
}

const nowText = (dollars: number | null): string =>
  `Now: ${dollars === null ? 'no limit' : formatMoney(dollars, 'typed')}`;

type Numbers = { deposit_week?: number; loss_day?: number; pause_days?: number };
const numberFields = ['deposit_week', 'loss_day', 'pause_days'] as const;

/** What was typed into the fields for numbers; an empty one is left out. */
function readNumbers(values: Values): { read: Numbers; faults: Partial<Values> } {
  const read: Numbers = {};
  const faults: Partial<Values> = {};
  for (const name of numberFields) {
    const typed = values[name].trim();
    if (typed === '') continue;
    if (/^\d{1,15}$/.test(typed)) read[name] = Number(typed);
    else faults[name] = 'Enter a whole number.';
  }
  return { read, faults };
}
