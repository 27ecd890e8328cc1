import { Textarea, TextInput } from '@mantine/core';
import { announcementRules } from '#contract/operator/announcement-rules.ts';
import dialogClasses from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import { DialogForm } from '../kit/dialog-form.tsx';
import classes from './announcements-page.module.css';
import { readUtc, useWriteAnnouncement } from './queries.ts';

const nothing = { title: '', text: '', from: '', to: '' };

/** Tells all members something, for a while. */
export function WriteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const write = useWriteAnnouncement();
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Write an announcement"
      size={520}
      initial={nothing}
      check={({ title, text, from, to }) => ({
        ...(title === '' && { title: 'Give it a title.' }),
        ...(text === '' && { text: 'Write the text.' }),
        ...(from !== '' && readUtc(from) === undefined && { from: 'Enter day and time.' }),
        ...(readUtc(to) === undefined && { to: 'Say until when.' }),
      })}
      isBusy={write.isPending}
      confirm="Announce"
      busyLabel="Announcing"
      onSend={({ title, text, ...period }, onError) => {
        const [from, to = ''] = [readUtc(period.from), readUtc(period.to)];
        write.mutate(
          { title, text, to, ...(from !== undefined && { from }) },
          {
            onSuccess: ({ state }) => {
              toast.success(state === 'in_force' ? 'Members read it now' : 'Members will read it');
              onClose();
            },
            onError,
          },
        );
      }}
    >
      {({ values, set, typed }) => (
        <>
          <div className={dialogClasses.words}>
            Say what happened or will happen, and when. Promise no return and hint at none. It cannot be changed
            afterwards, only ended.
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
            description={`Plain text; lines stay as you break them. ${lengthOf(values, 'text')}`}
            rows={5}
            maxLength={announcementRules.textMaxLength}
            {...typed('text')}
            onChange={(event) => set('text', event.currentTarget.value)}
          />
          <div className={classes.period}>
            <TextInput type="datetime-local" label="From, UTC" description="Empty: at once." {...typed('from')} />
            <TextInput
              type="datetime-local"
              label="To, UTC"
              description="Real time, not market time."
              {...typed('to')}
            />
          </div>
        </>
      )}
    </DialogForm>
  );
}

const lengthOf = (values: typeof nothing, field: 'title' | 'text'): string =>
  `${values[field].length} of ${announcementRules[`${field}MaxLength`]}`;
