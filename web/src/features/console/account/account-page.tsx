import { Stack } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { otpLength, passwordMinLength } from '#contract/rules.ts';
import { CallError, call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { checkPasswords, type Passwords } from '../../../entities/member/check-passwords.ts';
import { DevicesPanel } from '../../../entities/member/devices-panel.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { Columns } from '../../../ui/frame/columns.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { DeskError, DeskLoading } from '../kit/list-table.tsx';

/** The operator's own account: where it is signed in, and its password. */
export function AccountPage() {
  const operator = useOperator();
  const sessions = useQuery(ownSessionsQuery);
  return (
    <>
      <PageHead title="Your account" facts={operator && `${operator.name}, ${operator.email}, ${operator.role}`} />
      <Columns>
        <DevicesPanel
          sessions={sessions.data}
          unknown={
            sessions.isError ? <DeskError query={sessions} title="The list could not be loaded" /> : <DeskLoading />
          }
          endOne={useEndSession()}
          endOthers={useEndOtherSessions()}
        />
        {operator && <PasswordPanel email={operator.email} />}
      </Columns>
    </>
  );
}

type Values = Passwords & { otp: string };
const nothing: Values = { current_password: '', password: '', otp: '' };

/** A new password takes the old one and a code; what the server says about one of them stands at its field. */
function PasswordPanel({ email }: { email: string }) {
  const change = useChangePassword();
  const current = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLInputElement>(null);
  const firstCell = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});

  const set = (field: keyof Values, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const show = (found: Partial<Values>) => {
    setFaults(found);
    if (found.current_password !== undefined) current.current?.focus();
    else if (found.password !== undefined) chosen.current?.focus();
    else if (found.otp !== undefined) firstCell.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const missing: Partial<Values> = checkPasswords(values);
    if (values.otp.length !== otpLength) missing.otp = `The code has ${otpLength} digits.`;
    if (Object.keys(missing).length > 0) return show(missing);
    change.mutate(values, {
      onSuccess: () => {
        setValues(nothing);
        toast.success('Password changed', 'All other devices were signed out.');
      },
      onError: (error) => {
        // A code is good once, whatever it was refused for.
        setValues((before) => ({ ...before, otp: '' }));
        if (error instanceof CallError) show(error.fields);
      },
    });
  };

  return (
    <Panel title="Password">
      <Stack renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}>
        {/* Password managers store the new password under the name they find here. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          ref={current}
          label="Current password"
          autoComplete="current-password"
          value={values.current_password}
          error={faults.current_password}
          onChange={(event) => set('current_password', event.currentTarget.value)}
        />
        <PasswordField
          ref={chosen}
          label="New password"
          description={`At least ${passwordMinLength} characters. All other devices are signed out.`}
          autoComplete="new-password"
          value={values.password}
          error={faults.password}
          onChange={(event) => set('password', event.currentTarget.value)}
        />
        <CodeEntry
          label="Code of your authenticator app"
          firstCell={firstCell}
          value={values.otp}
          problem={faults.otp}
          readOnly={change.isPending}
          autoFocus={false}
          onChange={(otp) => set('otp', otp)}
        />
        <div>
          <BusyButton type="submit" busy={change.isPending} busyLabel="Changing">
            Change password
          </BusyButton>
        </div>
      </Stack>
    </Panel>
  );
}

const rows = endpoints.operatorAccounts;

/** Where the operator is signed in. */
const ownSessionsQuery = queryOptions({
  queryKey: ['operator', 'own-sessions'],
  queryFn: ({ signal }) => call(rows.listOperatorSessions, { signal }),
});

/** Whatever comes of it, the list may be another one. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
}

const useEndSession = () =>
  useMutation({
    mutationFn: (id: string) => call(rows.endOperatorSession, { params: { id } }),
    onSettled: useRefresh(),
  });

const useEndOtherSessions = () =>
  useMutation({ mutationFn: () => call(rows.endOtherOperatorSessions), onSettled: useRefresh() });

const useChangePassword = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operatorAccounts.changeOperatorPassword>) =>
      call(rows.changeOperatorPassword, { body }),
    onSettled: useRefresh(),
    gcTime: 0,
  });
