import { Textarea, TextInput } from '@mantine/core';
import type { MemberPage } from '#contract/operator/members.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import { DialogForm } from '../kit/dialog-form.tsx';
import { useTightenLimits } from './queries.ts';

type LimitsDialogProps = { page: MemberPage; opened: boolean; onClose: () => void };
type Values = { deposit_week: string; loss_day: string; pause_days: string; why: string };
const nothing: Values = { deposit_week: '', loss_day: '', pause_days: '', why: '' };
const numeric = { inputMode: 'numeric', autoComplete: 'off' } as const;

/** Tighter limits for a member who asks for them or needs them. What is left empty stays as it is. */
export function LimitsDialog({ page, opened, onClose }: LimitsDialogProps) {
  const { deposit_week, loss_day, paused_until } = page.limits;
  const tighten = useTightenLimits(page.member.id);
  return (
    <DialogForm
      {...{ opened, onClose }}
      title={`Tighten the limits of ${page.member.name}`}
      initial={nothing}
      check={(values) => {
        const { read, faults } = readNumbers(values);
        const isEmpty = Object.keys({ ...read, ...faults }).length === 0;
        return {
          ...faults,
          ...(values.why === '' && { why: 'Say why.' }),
          ...(isEmpty && { deposit_week: 'Enter what to tighten.' }),
        };
      }}
      isBusy={tighten.isPending}
      confirm="Tighten"
      busyLabel="Saving"
      onSend={(values, onError) =>
        tighten.mutate(
          { ...readNumbers(values).read, why: values.why },
          {
            onSuccess: () => {
              toast.success('Limits tightened', 'The member was told.');
              onClose();
            },
            onError,
          },
        )
      }
    >
      {({ typed }) => (
        <>
          <p className={classes.words}>
            In force at once. You can only tighten: the member can raise a limit again, after 24 hours, and a pause ends
            by itself.
          </p>
          <TextInput
            label="Deposits a week, in whole dollars"
            description={nowText(deposit_week.amount)}
            data-autofocus
            {...numeric}
            {...typed('deposit_week')}
          />
          <TextInput
            label="Loss a market day, in whole dollars"
            description={nowText(loss_day.amount)}
            {...numeric}
            {...typed('loss_day')}
          />
          <TextInput
            label="Pause of trading and deposits, in days"
            description={paused_until === null ? 'Now: none' : `Now: until ${formatDateTime(paused_until)}`}
            {...numeric}
            {...typed('pause_days')}
          />
          <Textarea label="Reason" description="The member reads it." rows={2} maxLength={300} {...typed('why')} />
        </>
      )}
    </DialogForm>
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
