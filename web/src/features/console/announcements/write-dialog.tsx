import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { announcementRules } from '#contract/operator/announcement-rules.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import dialogClasses from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import classes from './announcements-page.module.css';
import { readUtc, useWriteAnnouncement } from './queries.ts';

type WriteDialogProps = { opened: boolean; onClose: () => void };

/** Tells all members something, for a while. */
export function WriteDialog({ opened, onClose }: WriteDialogProps) {
  const write = useWriteAnnouncement();
  return (
    <Dialog opened={opened} onClose={onClose} title="Write an announcement" size={520} isHeld={write.isPending}>
      <WriteForm write={write} onClose={onClose} />
    </Dialog>
  );
}

type Values = { title: string; text: string; from: string; to: string };
const nothing: Values = { title: '', text: '', from: '', to: '' };

function WriteForm({ write, onClose }: { write: ReturnType<typeof useWriteAnnouncement>; onClose: () => void }) {
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const set = (field: keyof Values) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (write.isPending) return;
    const [from, to] = [readUtc(values.from), readUtc(values.to)];
    const missing: Partial<Values> = {
      ...(values.title.trim() === '' && { title: 'Give it a title.' }),
      ...(values.text.trim() === '' && { text: 'Write the text.' }),
      ...(values.from !== '' && from === undefined && { from: 'Enter day and time.' }),
      ...(to === undefined && { to: 'Say until when.' }),
    };
    setFaults(missing);
    if (to === undefined || Object.keys(missing).length > 0) return;
    write.mutate(
      { title: values.title.trim(), text: values.text.trim(), to, ...(from !== undefined && { from }) },
      {
        onSuccess: ({ state }) => {
          toast.success(state === 'in_force' ? 'Members read it now' : 'Members will read it');
          onClose();
        },
        onError: (error) => error instanceof CallError && setFaults(error.fields),
      },
    );
  };
  const typed = (field: 'title' | 'text') => `${values[field].length} of ${announcementRules[`${field}MaxLength`]}`;
  return (
    <form className={dialogClasses.form} onSubmit={submit} noValidate>
      <div className={dialogClasses.words}>
        Say what happened or will happen, and when. Promise no return and hint at none. It cannot be changed afterwards,
        only ended.
      </div>
      <TextInput
        label="Title"
        description={typed('title')}
        data-autofocus
        autoComplete="off"
        maxLength={announcementRules.titleMaxLength}
        readOnly={write.isPending}
        value={values.title}
        error={faults.title}
        onChange={set('title')}
      />
      <Textarea
        label="Text"
        description={`Plain text; lines stay as you break them. ${typed('text')}`}
        rows={5}
        maxLength={announcementRules.textMaxLength}
        readOnly={write.isPending}
        value={values.text}
        error={faults.text}
        onChange={set('text')}
      />
      <div className={classes.period}>
        <TextInput
          type="datetime-local"
          label="From, UTC"
          description="Empty: at once."
          readOnly={write.isPending}
          value={values.from}
          error={faults.from}
          onChange={set('from')}
        />
        <TextInput
          type="datetime-local"
          label="To, UTC"
          description="Real time, not market time."
          readOnly={write.isPending}
          value={values.to}
          error={faults.to}
          onChange={set('to')}
        />
      </div>
      <div className={dialogClasses.actions}>
        <Button variant="subtle" disabled={write.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={write.isPending} busyLabel="Announcing">
          Announce
        </BusyButton>
      </div>
    </form>
  );
}
