import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { OwnLimit } from '#contract/accounts/sign-in.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { checkLimit } from './check-limit.ts';
import { effectText, endText, type LimitKind, limitText, limitWords, nextText } from './limit-labels.ts';
import classes from './limits-panel.module.css';
import { useSetLimits } from './queries.ts';

type LimitDialogProps = { kind: LimitKind; limit: OwnLimit; opened: boolean; onClose: () => void };

/** A new limit, with when it would be in force said before it is asked for. */
export function LimitDialog({ kind, limit, opened, onClose }: LimitDialogProps) {
  const set = useSetLimits();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={limitWords[kind].title}
      size={420}
      withCloseButton={false}
      isHeld={set.isPending}
    >
      <LimitForm kind={kind} limit={limit} set={set} onClose={onClose} />
    </Dialog>
  );
}

type LimitFormProps = Pick<LimitDialogProps, 'kind' | 'limit' | 'onClose'> & { set: ReturnType<typeof useSetLimits> };

/** Made anew each time the dialog opens, so that nothing typed before is left in it. */
function LimitForm({ kind, limit, set, onClose }: LimitFormProps) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const checked = checkLimit(text);
  const canEnd = limit.amount !== null && !(limit.next !== null && limit.next.amount === null);

  const ask = (dollars: number | null) =>
    set.mutate(
      { [kind]: dollars },
      {
        onSuccess: (limits) => {
          toast.success(limitWords[kind].title, nextText(limits[kind]) ?? limitText(limits[kind].amount));
          onClose();
        },
        onError: (error) => {
          if (error instanceof CallError) setFault(error.fields[kind]);
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (checked.ok) ask(checked.dollars);
    else setFault(checked.message);
  };

  return (
    <form onSubmit={submit} noValidate>
      <p className={classes.note}>{limitWords[kind].note}</p>
      <TextInput
        className={classes.field}
        label="At most, in whole dollars"
        description={checked.ok ? effectText(limit, checked.dollars) : `Now: ${limitText(limit.amount).toLowerCase()}`}
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
        leftSection={<span className={classes.dollar}>$</span>}
      />
      {canEnd && (
        <p className={classes.end}>
          <Button variant="default" size="sm" disabled={set.isPending} onClick={() => ask(null)}>
            Remove the limit
          </Button>
          <span>{endText}</span>
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="subtle" disabled={set.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={set.isPending} busyLabel="Setting">
          Set the limit
        </BusyButton>
      </div>
    </form>
  );
}
