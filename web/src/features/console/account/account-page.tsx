import { Box, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operatorAccounts } from '#contract/endpoints.ts';
import { passwordMinLength } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { sendTo } from '../../../api/send-to.ts';
import { checkPasswords } from '../../../entities/member/check-passwords.ts';
import { DevicesPanel } from '../../../entities/member/devices-panel.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Column, Columns } from '../../../ui/layout/columns.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Refusal } from '../../../ui/plain/refusal.tsx';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { LoadFailed } from '../kit/list-table.tsx';
import { useFields } from '../kit/use-fields.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { OperatorPasskeys } from './operator-passkeys.tsx';

/** There is always at least one device, and usually exactly one. */
const ONE_DEVICE_PX = 52;

const OWN = ['own-sessions'];
const sessionsQuery = queryOf(['operator', ...OWN], operatorAccounts.listOperatorSessions);

/** Devices, passkeys and password of the operator who is signed in. */
export function AccountPage() {
  const operator = useOperator();
  const sessions = useQuery(sessionsQuery);
  return (
    <>
      <PageHead title="Your account" facts={`${operator.name}, ${operator.email}, ${operator.role}`} />
      <Columns>
        <DevicesPanel
          sessions={sessions.data}
          unknown={sessions.isError ? <LoadFailed query={sessions} /> : <Box mih={ONE_DEVICE_PX} />}
          endOne={useOperatorMutation(
            (id: string) => call(operatorAccounts.endOperatorSession, { params: { id } }),
            OWN,
          )}
          endOthers={useOperatorMutation(() => call(operatorAccounts.endOtherOperatorSessions), OWN)}
        />
        <Column>
          <OperatorPasskeys />
          <PasswordPanel email={operator.email} />
        </Column>
      </Columns>
    </>
  );
}

/** A new password requires the current one and a code; the server's errors are shown at their fields. */
function PasswordPanel({ email }: { email: string }) {
  const change = useOperatorMutation(sendTo(operatorAccounts.changeOperatorPassword), OWN);
  const { form, fields, submit, passkey, refused, reset } = useFields({
    initial: { current_password: '', password: '', otp: '' },
    check: (values) => ({ ...checkPasswords(values), ...codeError(values.otp) }),
    isBusy: change.isPending,
    onSend: (values, onError) =>
      change.mutate(values, {
        onSuccess: () => {
          reset();
          toast.success('Password changed', 'All other devices were signed out.');
        },
        onError: (error) => {
          // A code is single-use, even if it was refused.
          fields.set('otp', '');
          onError(error);
        },
      }),
  });
  return (
    <Panel title="Password">
      <Stack renderRoot={(props) => <form {...props} ref={form} onSubmit={submit} noValidate />}>
        {/* Password managers store the new password under the name they find here. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label="Current password" autoComplete="current-password" {...fields.typed('current_password')} />
        <PasswordField
          label="New password"
          description={`At least ${passwordMinLength} characters. All other devices are signed out.`}
          autoComplete="new-password"
          {...fields.typed('password')}
        />
        <CodeField {...fields.code('otp')} />
        <Refusal error={passkey.error} />
        <Refusal error={refused} />
        <div>
          <BusyButton type="submit" busy={change.isPending || passkey.isAsking} busyLabel="Changing">
            Change password
          </BusyButton>
        </div>
      </Stack>
    </Panel>
  );
}
