import { Textarea, TextInput } from '@mantine/core';
import type { OperatorRole } from '#contract/endpoint.ts';
import { isRequired, labels, otpLength } from '#contract/rules.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { CODE_MISSING, CodeField, DialogForm, SegmentsField } from '../kit/dialog-form.tsx';
import { everyRole } from '../roles.ts';
import { useInvite } from './queries.ts';

const nothing = { name: '', email: '', role: 'support', why: '', otp: '' };

/** Invites an operator by mail. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const invite = useInvite();
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Invite an operator"
      initial={nothing}
      check={({ name, email, why, otp }) => ({
        ...(name === '' && { name: isRequired(labels.name) }),
        ...(email === '' && { email: isRequired(labels.email) }),
        ...(why === '' && { why: 'Say why.' }),
        ...(otp.length !== otpLength && { otp: CODE_MISSING }),
      })}
      isBusy={invite.isPending}
      confirm="Invite"
      busyLabel="Inviting"
      onSend={({ role, ...typed }, onError) =>
        invite.mutate(
          { ...typed, role: role as OperatorRole },
          {
            onSuccess: ({ due_at }) => {
              toast.success(due_at === null ? 'Proposed' : 'Invited');
              onClose();
            },
            onError,
          },
        )
      }
    >
      {({ values, set, typed, code }) => (
        <>
          <TextInput label={labels.name} data-autofocus autoComplete="off" {...typed('name')} />
          <TextInput label={labels.email} type="email" autoComplete="off" {...typed('email')} />
          <SegmentsField
            label="Role"
            options={everyRole}
            value={values.role as OperatorRole}
            onChange={(role) => set('role', role)}
          />
          <Textarea
            label="Reason"
            description="It stands in the audit log and in the mail to all operators."
            rows={2}
            maxLength={300}
            {...typed('why')}
          />
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}
