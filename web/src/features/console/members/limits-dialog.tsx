import { Textarea, TextInput } from '@mantine/core';
import type { OwnLimit } from '#contract/accounts/sign-in.ts';
import { memberControls } from '#contract/endpoints.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { call } from '../../../api/call.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { REASON_MISSING, SendDialog } from '../kit/dialog-form.tsx';

type Values = { deposit_week: string; loss_day: string; pause_days: string; why: string };
const nothing: Values = { deposit_week: '', loss_day: '', pause_days: '', why: '' };
const numeric = { inputMode: 'numeric', autoComplete: 'off' } as const;

/** Stricter limits for a member; an empty field keeps its limit. */
export function LimitsDialog({ page, opened, onClose }: { page: MemberPage; opened: boolean; onClose: () => void }) {
  const { deposit_week, loss_day, paused_until } = page.limits;
  return (
    <SendDialog
      {...{ opened, onClose }}
      title={`Tighten the limits of ${page.member.name}`}
      initial={nothing}
      check={(values) => {
        const { read, errors } = readNumbers(values);
        const isEmpty = Object.keys({ ...read, ...errors }).length === 0;
        return {
          ...errors,
          ...(isAlready(deposit_week, read.deposit_week) && { deposit_week: IN_FORCE }),
          ...(isAlready(loss_day, read.loss_day) && { loss_day: IN_FORCE }),
          ...(values.why === '' && { why: REASON_MISSING }),
          ...(isEmpty && { deposit_week: 'Enter at least one limit.' }),
        };
      }}
      confirm="Tighten limits"
      busyLabel="Saving"
      send={(values) =>
        call(memberControls.tightenMemberLimits, {
          params: { id: page.member.id },
          body: { ...readNumbers(values).read, why: values.why },
        })
      }
      refreshes={['members']}
      done={() => ['Limits tightened', 'The member was notified.']}
    >
      {({ typed }) => (
        <>
          <p className={classes.words}>
            Stricter limits apply immediately, and you can only tighten them. The member can relax a limit again after
            24 hours. A pause ends automatically.
          </p>
          <TextInput
            label="Deposits per week, in whole dollars"
            description={nowText(deposit_week.amount)}
            {...numeric}
            {...typed('deposit_week')}
          />
          <TextInput
            label="Loss per market day, in whole dollars"
            description={nowText(loss_day.amount)}
            {...numeric}
            {...typed('loss_day')}
          />
          <TextInput
            label="Pause trading and deposits, in days"
            description={paused_until === null ? 'Current: none' : `Current: until ${formatDateTime(paused_until)}`}
            {...numeric}
            {...typed('pause_days')}
          />
          <Textarea label="Reason" description="Visible to the member." rows={2} maxLength={300} {...typed('why')} />
        </>
      )}
    </SendDialog>
  );
}

const nowText = (dollars: number | null): string =>
  `Current: ${dollars === null ? 'no limit' : formatMoney(dollars, 'typed')}`;

const IN_FORCE = 'This limit is already in force. Enter a lower one.';

/** Setting it changes nothing, so nobody is notified. It would cancel a pending relaxation. */
const isAlready = ({ amount, next }: OwnLimit, typed: number | undefined): boolean => amount === typed && next === null;

type Numbers = { deposit_week?: number; loss_day?: number; pause_days?: number };
const numberFields = ['deposit_week', 'loss_day', 'pause_days'] as const;

/** The typed numbers; an empty field is omitted. */
function readNumbers(values: Values): { read: Numbers; errors: Partial<Values> } {
  const read: Numbers = {};
  const errors: Partial<Values> = {};
  for (const name of numberFields) {
    const typed = values[name].trim();
    if (typed === '') continue;
    if (/^\d{1,15}$/.test(typed)) read[name] = Number(typed);
    else errors[name] = 'Enter a whole number.';
  }
  return { read, errors };
}
