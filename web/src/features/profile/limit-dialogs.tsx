import { Button, Group, TextInput, type TextInputProps } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { OwnLimit } from '#contract/accounts/sign-in.ts';
import { ownLimitRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { plural, t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import {
  checkLimit,
  checkPause,
  effectText,
  endText,
  type LimitKind,
  limitLabels,
  limitText,
  nextText,
} from './limits.ts';
import { useSetLimits } from './queries.ts';

type Opened = { opened: boolean; onClose: () => void };
type Set = { set: ReturnType<typeof useSetLimits>; onClose: () => void };

type LimitDialogProps = Opened & { kind: LimitKind; limit: OwnLimit };

/** States when a new limit applies before it is set. */
export function LimitDialog({ kind, limit, opened, onClose }: LimitDialogProps) {
  const set = useSetLimits();
  const { title } = limitLabels[kind];
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={420} withCloseButton={false} isHeld={set.isPending}>
      <LimitForm kind={kind} limit={limit} set={set} onClose={onClose} />
    </Dialog>
  );
}

function LimitForm({ kind, limit, set, onClose }: Set & Pick<LimitDialogProps, 'kind' | 'limit'>) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const checked = checkLimit(text);
  const canEnd = limit.amount !== null && !(limit.next !== null && limit.next.amount === null);

  const ask = (dollars: number | null, focusError?: () => void) =>
    set.mutate(
      { [kind]: dollars },
      {
        onSuccess: (limits) => {
          toast.success(limitLabels[kind].title, nextText(limits[kind]) ?? limitText(limits[kind].amount));
          onClose();
        },
        onError: (error) => {
          if (error instanceof CallError) setError(error.fields[kind]);
          focusError?.();
        },
      },
    );

  return (
    <OneNumberForm
      before={<Note mb="md">{limitLabels[kind].note}</Note>}
      field={{
        label: t`Limit in whole dollars`,
        description: checked.ok ? effectText(limit, checked.dollars) : t`Current: ${limitText(limit.amount)}`,
        error,
        leftSection: '$',
      }}
      text={text}
      onType={(typed) => {
        setText(typed);
        setError(undefined);
      }}
      onSubmit={(focusError) => (checked.ok ? ask(checked.dollars, focusError) : setError(checked.message))}
      confirm={t`Set limit`}
      busyLabel={t`Setting`}
      isBusy={set.isPending}
      refused={set.error}
      onClose={onClose}
    >
      {canEnd && (
        <Group gap="4px 8px" mt="sm">
          <Button
            variant="default"
            size="sm"
            disabled={set.isPending}
            onClick={() => ask(null)}
          >{t`Remove limit`}</Button>
          <Note span>{endText}</Note>
        </Group>
      )}
    </OneNumberForm>
  );
}

type PauseDialogProps = Opened & { pausedUntil: string | null };

/** States the end of the pause, since nobody can undo it. */
export function PauseDialog({ pausedUntil, opened, onClose }: PauseDialogProps) {
  const set = useSetLimits();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={pausedUntil === null ? t`Pause trading and deposits?` : t`Extend the pause?`}
      size={420}
      withCloseButton={false}
      isHeld={set.isPending}
    >
      <PauseForm pausedUntil={pausedUntil} set={set} onClose={onClose} />
    </Dialog>
  );
}

function PauseForm({ pausedUntil, set, onClose }: Set & Pick<PauseDialogProps, 'pausedUntil'>) {
  const now = useRealNow();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const checked = checkPause(text, pausedUntil, now);

  const submit = (focusError: () => void) => {
    if (!checked.ok) return setError(checked.message);
    set.mutate(
      { pause_days: checked.days },
      {
        onSuccess: ({ paused_until }) => {
          toast.success(t`Trading and deposits paused`, paused_until && t`Until ${formatDateTime(paused_until)}`);
          onClose();
        },
        onError: (error) => {
          if (error instanceof CallError) setError(error.fields.pause_days);
          focusError();
        },
      },
    );
  };

  return (
    <OneNumberForm
      field={{ label: t`Length in days`, description: t`1 to ${ownLimitRules.pauseMaxDays} days`, error }}
      text={text}
      onType={(typed) => {
        setText(typed);
        setError(undefined);
      }}
      onSubmit={submit}
      confirm={checked.ok ? plural(checked.days, { one: 'Pause for # day', other: 'Pause for # days' }) : t`Pause`}
      busyLabel={t`Pausing`}
      isBusy={set.isPending}
      refused={set.error}
      onClose={onClose}
    >
      <Paragraph size="md" mt="md" mb="xs" aria-live="polite">
        {checked.ok ? (
          <Trans
            text={t`You cannot place trades or start deposits until <b>${formatDateTime(checked.end)}</b>. Nobody can end the pause early.`}
            b={(inner) => <b>{inner}</b>}
          />
        ) : pausedUntil === null ? (
          t`You cannot place trades or start deposits until the pause ends. Nobody can end it early.`
        ) : (
          <Trans
            text={t`The current pause ends on <b>${formatDateTime(pausedUntil)}</b>.`}
            b={(inner) => <b>{inner}</b>}
          />
        )}
      </Paragraph>
      <Note>{t`Queued trades are cancelled and refunded in full. Open trades settle as usual. You can still close trades and withdraw.`}</Note>
    </OneNumberForm>
  );
}

type OneNumberFormProps = {
  before?: ReactNode;
  field: TextInputProps;
  text: string;
  onType: (text: string) => void;
  onSubmit: (focusError: () => void) => void;
  children: ReactNode;
  confirm: string;
  busyLabel: string;
  isBusy: boolean;
  refused: Error | null;
  onClose: () => void;
};

function OneNumberForm(props: OneNumberFormProps) {
  const { form, focusFirstError } = useFirstError();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit(focusFirstError);
    focusFirstError();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {props.before}
      <TextInput
        {...props.field}
        errorProps={{ role: 'alert' }}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={props.text}
        onChange={(event) => props.onType(event.currentTarget.value)}
      />
      {props.children}
      <Refusal error={props.refused} />
      <Group justify="flex-end" gap="xs" mt={20}>
        <Button variant="subtle" disabled={props.isBusy} onClick={props.onClose}>{t`Cancel`}</Button>
        <BusyButton type="submit" busy={props.isBusy} busyLabel={props.busyLabel}>
          {props.confirm}
        </BusyButton>
      </Group>
    </form>
  );
}
