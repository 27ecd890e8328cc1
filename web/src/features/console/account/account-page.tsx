import { Box, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { operatorAccounts } from '#contract/endpoints.ts';
import type { OperatorCode } from '#contract/fields.ts';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError, call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { sendTo } from '../../../api/send-to.ts';
import { checkPasswords, type Passwords } from '../../../entities/member/check-passwords.ts';
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
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { usePasskeyProof } from '../kit/use-passkey-proof.ts';
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

type Values = Passwords & { otp: string };

/** A new password requires the current one and a code; the server's errors are shown at their fields. */
function PasswordPanel({ email }: { email: string }) {
  const change = useOperatorMutation(sendTo(operatorAccounts.changeOperatorPassword), OWN);
  const firstCell = useRef<HTMLInputElement>(null);
  const form = useForm<Values>({
    initialValues: { current_password: '', password: '', otp: '' },
    validate: (values) => ({
      ...checkPasswords(values),
      ...codeError(values.otp),
    }),
  });
  const show = (errors: Partial<Record<keyof Values, ReactNode>>) => {
    form.setErrors(errors);
    const first = (['current_password', 'password'] as const).find((field) => errors[field] !== undefined);
    if (first) form.getInputNode(first)?.focus();
    else if (errors.otp !== undefined) firstCell.current?.focus();
  };
  const passkey = usePasskeyProof();
  const save = (values: Omit<Values, 'otp'> & { otp: OperatorCode }) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset();
        change.reset();
        toast.success('Password changed', 'All other devices were signed out.');
      },
      onError: (error) => {
        // A code is single-use, even if it was refused.
        form.setFieldValue('otp', '');
        if (error instanceof CallError) show(error.fields);
      },
    });
  const send = (isByPasskey: boolean) => {
    if (change.isPending || passkey.isAsking) return;
    const { errors } = form.validate();
    const { otp: noCode, ...otherErrors } = errors;
    const asksForPasskey = isByPasskey && noCode !== undefined;
    if (asksForPasskey) form.clearFieldError('otp');
    if (Object.keys(asksForPasskey ? otherErrors : errors).length > 0)
      return show(asksForPasskey ? otherErrors : errors);
    if (!asksForPasskey) save(form.values);
    else passkey.ask((otp) => save({ ...form.values, otp }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(passkey.isOnly);
  };

  return (
    <Panel title="Password">
      <Stack renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}>
        {/* Password managers store the new password under the name they find here. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordField
          label="New password"
          description={`At least ${passwordMinLength} characters. All other devices are signed out.`}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <CodeField
          passkey={passkey}
          onPasskey={() => send(true)}
          firstCell={firstCell}
          value={form.values.otp}
          problem={form.errors.otp as string | undefined}
          readOnly={change.isPending}
          autoFocus={false}
          onChange={(otp) => form.setFieldValue('otp', otp)}
        />
        <Refusal error={passkey.error} />
        <Refusal error={change.error} />
        <div>
          <BusyButton type="submit" busy={change.isPending || passkey.isAsking} busyLabel="Changing">
            Change password
          </BusyButton>
        </div>
      </Stack>
    </Panel>
  );
}
