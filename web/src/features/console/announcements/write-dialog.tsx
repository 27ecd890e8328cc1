import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { operatorAnnouncements } from '#contract/operator/announcements.ts';
import { announcementRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { DateField } from '../../../ui/forms/date-field.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { CodeField, codeFault } from '../kit/code-field.tsx';
import { DialogForm, sendBy } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

const nothing = { title: '', text: '', from_day: '', from_time: '', to_day: '', to_time: '', otp: '' };

type WriteDialogProps = { opened: boolean; onClose: () => void; needsApproval: boolean };

/** Publishes a notice to all members for a period, or proposes it to an admin. */
export function WriteDialog({ opened, onClose, needsApproval }: WriteDialogProps) {
  const write = useOperatorMutation(
    (body: BodyInOf<typeof operatorAnnouncements.writeAnnouncement>) =>
      call(endpoints.operatorAnnouncements.writeAnnouncement, { body }),
    ['announcements', 'overview'],
  );
  const send = sendBy(write, onClose, ({ announcement, proposal }) =>
    proposal
      ? ['Announcement proposed', `${proposal.reference} needs approval by an admin.`]
      : [announcement?.state === 'in_force' ? 'Announcement published' : 'Announcement scheduled'],
  );
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="New announcement"
      size={520}
      initial={nothing}
      nameOf={{ from: 'from_day', to: 'to_day' }}
      check={({ title, text, from_day, from_time, to_day, to_time, otp }) => ({
        ...(title === '' && { title: 'Enter a title.' }),
        ...(text === '' && { text: 'Enter the text.' }),
        ...(from_day === '' && from_time !== '' && { from_day: 'Enter the day, too.' }),
        ...(from_day !== '' && readUtc(from_day, from_time) === undefined && { from_time: TIME_MISSING }),
        ...(to_day === '' && { to_day: 'Enter when it ends.' }),
        ...(to_day !== '' && readUtc(to_day, to_time) === undefined && { to_time: TIME_MISSING }),
        ...codeFault(otp),
      })}
      isBusy={write.isPending}
      confirm={needsApproval ? 'Propose announcement' : 'Publish announcement'}
      busyLabel={needsApproval ? 'Proposing' : 'Publishing'}
      onSend={({ title, text, from_day, from_time, to_day, to_time, otp }, onError) => {
        const [from, to = ''] = [readUtc(from_day, from_time), readUtc(to_day, to_time)];
        send({ title, text, to, otp, ...(from !== undefined && { from }) }, onError);
      }}
    >
      {({ values, set, typed, code }) => (
        <>
          <div className={classes.words}>
            Say what happened or will happen, and when. Never promise or suggest a return. You cannot edit it
            afterwards, only end it.{needsApproval && ' Members see it once an admin has approved it.'}
          </div>
          <TextInput
            label="Title"
            description={lengthOf(values, 'title')}
            data-autofocus
            autoComplete="off"
            maxLength={announcementRules.titleMaxLength}
            {...typed('title')}
          />
          <Textarea
            label="Text"
            description={`Plain text. Line breaks are kept. ${lengthOf(values, 'text')}`}
            rows={5}
            maxLength={announcementRules.textMaxLength}
            {...typed('text')}
            onChange={(event) => set('text', event.currentTarget.value)}
          />
          <SimpleGrid cols={2} spacing="sm">
            <DateField
              {...typed('from_day')}
              label="From"
              description="Empty: immediately."
              value={values.from_day || undefined}
              onChange={(day) => set('from_day', day ?? '')}
            />
            <TextInput label="From, time UTC" placeholder="08:00" autoComplete="off" {...typed('from_time')} />
            <DateField
              {...typed('to_day')}
              label="To"
              description="Real time, not market time."
              value={values.to_day || undefined}
              onChange={(day) => set('to_day', day ?? '')}
            />
            <TextInput label="To, time UTC" placeholder="16:30" autoComplete="off" {...typed('to_time')} />
          </SimpleGrid>
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}

const lengthOf = (values: typeof nothing, field: 'title' | 'text'): string =>
  `${values[field].length} of ${announcementRules[`${field}MaxLength`]}`;

const TIME_MISSING = 'Enter a time such as 16:30.';

/** `readUtc('2026-03-04', '14:05')` is `2026-03-04T14:05:00.000Z`; undefined when they are not an instant. */
export function readUtc(day: string, time: string): string | undefined {
  if (!/^\d{1,2}:\d{2}$/.test(time)) return undefined;
  const at = new Date(`${day}T${time.padStart(5, '0')}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
