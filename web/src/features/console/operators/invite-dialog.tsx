import { Textarea, TextInput } from '@mantine/core';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { BodyInOf, OperatorRole } from '#contract/endpoint.ts';
import { isRequired, labels } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { CodeField, codeFault } from '../kit/code-field.tsx';
import { DialogForm, REASON_MISSING, SegmentsField, sendBy } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { everyRole } from '../roles.ts';
import { REASON_HINT } from './actions.ts';

const nothing = { name: '', email: '', role: 'support', why: '', otp: '' };

/** Invites an operator by email. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const invite = useOperatorMutation(
    (body: BodyInOf<typeof operatorAccounts.inviteOperator>) =>
      call(endpoints.operatorAccounts.inviteOperator, { body }),
    ['operators'],
  );
  const send = sendBy(invite, onClose, ({ due_at }) => [due_at === null ? 'Invitation proposed' : 'Invitation sent']);
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Invite an operator"
      initial={nothing}
      check={({ name, email, why, otp }) => ({
        ...(name === '' && { name: isRequired(labels.name) }),
        ...(email === '' && { email: isRequired(labels.email) }),
        ...(why === '' && { why: REASON_MISSING }),
        ...codeFault(otp),
      })}
      isBusy={invite.isPending}
      confirm="Invite operator"
      busyLabel="Inviting"
      onSend={({ role, ...typed }, onError) => send({ ...typed, role: role as OperatorRole }, onError)}
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
          <Textarea label="Reason" description={REASON_HINT} rows={2} maxLength={300} {...typed('why')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}
