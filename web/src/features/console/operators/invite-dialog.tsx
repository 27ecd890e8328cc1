import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { OperatorRole } from '#contract/endpoint.ts';
import { isRequired, labels, otpLength } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import classes from '../kit/decision-dialog.module.css';
import { everyRole } from '../roles.ts';
import { useInvite } from './queries.ts';

type InviteDialogProps = { opened: boolean; onClose: () => void };

/** Invites an operator by mail. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const invite = useInvite();
  return (
    <Dialog opened={opened} onClose={onClose} title="Invite an operator" size={440} isHeld={invite.isPending}>
      <InviteForm invite={invite} onClose={onClose} />
    </Dialog>
  );
}

type Values = { name: string; email: string; why: string; otp: string };
const nothing: Values = { name: '', email: '', why: '', otp: '' };

function InviteForm({ invite, onClose }: { invite: ReturnType<typeof useInvite>; onClose: () => void }) {
  const firstCell = useRef<HTMLInputElement>(null);
  const [role, setRole] = useState<OperatorRole>('support');
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const set = (field: keyof Values, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    const missing: Partial<Values> = {
      ...(values.name.trim() === '' && { name: isRequired(labels.name) }),
      ...(values.email.trim() === '' && { email: isRequired(labels.email) }),
      ...(values.why.trim() === '' && { why: 'Say why.' }),
      ...(values.otp.length !== otpLength && { otp: `The code has ${otpLength} digits.` }),
    };
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    invite.mutate(
      { name: values.name.trim(), email: values.email.trim(), role, why: values.why.trim(), otp: values.otp },
      {
        onSuccess: ({ due_at }) => {
          toast.success(due_at === null ? 'Proposed' : 'Invited');
          onClose();
        },
        onError: (error) => {
          const fields = error instanceof CallError ? error.fields : {};
          if (fields.otp !== undefined) {
            setValues((before) => ({ ...before, otp: '' }));
            firstCell.current?.focus();
          }
          setFaults(fields);
        },
      },
    );
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={labels.name}
        data-autofocus
        autoComplete="off"
        value={values.name}
        error={faults.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        label={labels.email}
        type="email"
        autoComplete="off"
        value={values.email}
        error={faults.email}
        onChange={(event) => set('email', event.currentTarget.value)}
      />
      <div>
        <div className={classes.label} aria-hidden="true">
          Role
        </div>
        <Segments label="Role" options={everyRole} value={role} onChange={setRole} fullWidth />
      </div>
      <Textarea
        label="Reason"
        description="It stands in the audit log and in the mail to all operators."
        rows={2}
        maxLength={300}
        value={values.why}
        error={faults.why}
        onChange={(event) => set('why', event.currentTarget.value.replaceAll('\n', ' '))}
      />
      <CodeEntry
        label="Code of your authenticator app"
        firstCell={firstCell}
        value={values.otp}
        problem={faults.otp}
        readOnly={invite.isPending}
        onChange={(otp) => set('otp', otp)}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={invite.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={invite.isPending} busyLabel="Inviting">
          Invite
        </BusyButton>
      </div>
    </form>
  );
}
