import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ownLimitRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { useRealNow } from '../../ui/use-real-now.ts';
import { checkPause } from './check-limit.ts';
import classes from './limits-panel.module.css';
import { useSetLimits } from './queries.ts';

type PauseDialogProps = { pausedUntil: string | null; opened: boolean; onClose: () => void };

/** The question before a pause, which names its end: nobody can take it back. */
export function PauseDialog({ pausedUntil, opened, onClose }: PauseDialogProps) {
  const set = useSetLimits();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={pausedUntil === null ? 'Pause trading and deposits?' : 'Make the pause longer?'}
      size={420}
      withCloseButton={false}
      isHeld={set.isPending}
    >
      <PauseForm pausedUntil={pausedUntil} set={set} onClose={onClose} />
    </Dialog>
  );
}

type PauseFormProps = Pick<PauseDialogProps, 'pausedUntil' | 'onClose'> & { set: ReturnType<typeof useSetLimits> };

function PauseForm({ pausedUntil, set, onClose }: PauseFormProps) {
  const now = useRealNow();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const checked = checkPause(text, pausedUntil, now);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!checked.ok) return setFault(checked.message);
    set.mutate(
      { pause_days: checked.days },
      {
        onSuccess: ({ paused_until }) => {
          toast.success('Trading and deposits paused', paused_until && `Until ${formatDateTime(paused_until)}`);
          onClose();
        },
        onError: (error) => {
          if (error instanceof CallError) setFault(error.fields.pause_days);
        },
      },
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Days from now"
        description={`1 to ${ownLimitRules.pauseMaxDays}`}
        error={fault}
        errorProps={{ role: 'alert' }}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFault(undefined);
        }}
      />
      <p className={classes.pause} aria-live="polite">
        {checked.ok ? (
          <>
            No new trades and no new deposits until <b>{formatDateTime(checked.end)}</b>. Nobody can end it sooner.
          </>
        ) : pausedUntil === null ? (
          'No new trades and no new deposits until the pause ends. Nobody can end it sooner.'
        ) : (
          <>
            It lasts until <b>{formatDateTime(pausedUntil)}</b> now.
          </>
        )}
      </p>
      <p className={classes.note}>
        Trades still waiting to open are cancelled, with the whole amount back. Open trades settle, and you can close
        them and withdraw.
      </p>
      <div className={classes.actions}>
        <Button variant="subtle" disabled={set.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={set.isPending} busyLabel="Pausing">
          {checked.ok ? `Pause for ${checked.days === 1 ? '1 day' : `${checked.days} days`}` : 'Pause'}
        </BusyButton>
      </div>
    </form>
  );
}
