import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { StopPercents } from '#contract/trading/stops.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { StopFields } from './stop-fields.tsx';
import classes from './stops.module.css';
import {
  draftOf,
  noStops,
  onlyChanged,
  readStops,
  type StopDraft,
  type StopErrors,
  type StopKind,
  stopKinds,
} from './stops.ts';

type StopsDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What the stops belong to, and when they take effect. */
  children: ReactNode;
  stops: StopPercents;
  sentenceOf: (kind: StopKind, draft: StopDraft) => string;
  busy: boolean;
  refused: Error | null;
  /** Called with the changes, never with none. */
  onSave: (stops: Partial<StopPercents>) => void;
};

/** Sets, changes or removes stops: a field that is empty when saved removes its stop. */
export function StopsDialog({ opened, onClose, title, busy, ...form }: StopsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={480} isHeld={busy}>
      <StopsForm {...form} busy={busy} onClose={onClose} />
    </Dialog>
  );
}

/** Mounted each time the dialog opens, with the stops as they are then. */
function StopsForm(props: Omit<StopsDialogProps, 'opened' | 'title'>) {
  const { children, stops, sentenceOf, busy, refused, onSave, onClose } = props;
  const [draft, setDraft] = useState<StopDraft>(() => draftOf(stops));
  const [errors, setErrors] = useState<StopErrors>({});
  const { form, focusFirstError } = useFirstError();

  const change = (kind: StopKind, value: string) => {
    setDraft((now) => ({ ...now, [kind]: value }));
    setErrors(({ [kind]: _, ...others }) => others);
  };
  const save = () => {
    const read = readStops(draft);
    if ('errors' in read) {
      focusFirstError();
      return setErrors(read.errors);
    }
    const changed = onlyChanged(stops, read.stops);
    if (Object.keys(changed).length === 0) return onClose();
    onSave(changed);
  };
  const isEmpty = stopKinds.every((kind) => draft[kind] === '');

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) save();
      }}
    >
      <Text inherit mb={16} c="var(--tw-text-2)" fz="md">
        {children}
      </Text>
      <StopFields draft={draft} errors={errors} onChange={change} sentenceOf={(kind) => sentenceOf(kind, draft)} />
      <Refusal error={refused} />
      <div className={classes.actions}>
        <Button
          variant="subtle"
          mr="auto"
          disabled={busy || isEmpty}
          onClick={() => {
            setDraft(draftOf(noStops));
            setErrors({});
          }}
        >
          {t`Clear all`}
        </Button>
        <Button variant="subtle" disabled={busy} onClick={onClose}>
          {t`Cancel`}
        </Button>
        <BusyButton type="submit" busy={busy} busyLabel={t`Saving`}>
          {t`Save stops`}
        </BusyButton>
      </div>
    </form>
  );
}
