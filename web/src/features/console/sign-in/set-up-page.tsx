import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operator as operatorCalls } from '#contract/endpoints.ts';
import { passkeyRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { canUsePasskeys } from '../../../api/can-use-passkeys.ts';
import { changeOperator, type Operator } from '../../../api/operator-state.ts';
import { CodeForm } from '../../../ui/forms/code-form.tsx';
import { CopyIcon } from '../../../ui/forms/copy-button.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Paragraph } from '../../../ui/text/paragraph.tsx';
import { QrCode } from '../../../ui/text/qr-code.tsx';
import { GroupedText, TextBox } from '../../../ui/text/text-box.tsx';
import { useAddPasskey } from '../account/use-add-passkey.ts';
import { operatorMeQuery, useSignOut } from '../shell/queries.ts';
import { SignInFrame } from './sign-in-page.tsx';

type Key = { secret: string; uri: string };

/**
 * No operator works without two-factor authentication (docs/product.md, section 10) and, in live mode, no finance
 * operator or admin without a passkey, so nothing else is shown before.
 */
export function SetUpPage({ operator }: { operator: Operator }) {
  const me = useQuery(operatorMeQuery);
  const signOut = useSignOut();
  const [method, setMethod] = useState<Method>('app');
  const needsPasskey = me.data?.missing === 'passkey';
  const isDone = () => changeOperator({ ...operator, second_factor: true });

  return (
    <SignInFrame
      title={needsPasskey ? 'Add a passkey' : 'Set up two-factor authentication'}
      lead={
        needsPasskey
          ? `You are signed in as ${operator.email}. On a live installation, finance and admins need a passkey: a code can be typed into a copied page, a passkey cannot.`
          : `You are signed in as ${operator.email}. Every operator needs an authenticator app or a passkey to open the console.`
      }
    >
      {needsPasskey ? (
        <PasskeySetUp hasApp={me.data?.app === true} onDone={isDone} />
      ) : (
        <Stack gap="lg">
          <Segments<Method> label="Method" fullWidth options={methods} value={method} onChange={setMethod} />
          {method === 'app' ? <AppSetUp onDone={isDone} /> : <PasskeySetUp hasApp={false} onDone={isDone} />}
        </Stack>
      )}
      <Button mt="xs" variant="subtle" size="lg" fullWidth onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </SignInFrame>
  );
}

type Method = 'app' | 'passkey';
const methods = [
  { value: 'app', label: 'Authenticator app' },
  { value: 'passkey', label: 'Passkey' },
] as const;

/** The key is kept only on this page: leaving it before the first code creates another. */
function AppSetUp({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (password: string) => call(operatorCalls.startOperatorTotp, { body: { password } }),
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: (otp: string) => call(operatorCalls.confirmOperatorTotp, { body: { otp } }),
    onSuccess: () => client.removeQueries({ queryKey: ['operator'] }),
    gcTime: 0,
  });
  const [key, setKey] = useState<Key>();
  return key ? (
    <CodeForm
      key="code"
      layout="page"
      asks={['otp']}
      sendsItself
      confirm="Turn on"
      busyLabel="Turning on"
      isBusy={confirm.isPending}
      onConfirm={({ otp }, onError) =>
        confirm.mutate(otp, {
          onSuccess: () => {
            toast.success('Two-factor authentication is on', 'Your other devices were signed out.');
            onDone();
          },
          onError,
        })
      }
    >
      <AppKey {...key} />
    </CodeForm>
  ) : (
    <CodeForm
      layout="page"
      asks={['password']}
      confirm="Continue"
      busyLabel="Checking"
      isBusy={start.isPending}
      onConfirm={({ password }, onError) => start.mutate(password, { onSuccess: setKey, onError })}
    />
  );
}

/** The first passkey requires the password and, from operators with an authenticator app, a code. */
function PasskeySetUp({ hasApp, onDone }: { hasApp: boolean; onDone: () => void }) {
  const client = useQueryClient();
  const add = useAddPasskey();
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  if (!canUsePasskeys()) {
    return (
      <Paragraph>
        This browser or this address has no passkeys. Open the console at its domain in another browser.
      </Paragraph>
    );
  }
  return (
    <CodeForm
      layout="page"
      asks={hasApp ? ['password', 'otp'] : ['password']}
      codeLabel="Code from your authenticator app"
      confirm="Add passkey"
      busyLabel="Adding"
      isBusy={add.isPending}
      onConfirm={({ password, otp }, onError) => {
        const missing = name.trim() === '' ? 'Enter a name.' : undefined;
        setError(missing);
        if (missing !== undefined) return;
        add.mutate(
          { name: name.trim(), password, otp: hasApp ? otp : undefined },
          {
            onSuccess: () => {
              toast.success('Passkey added', 'Your other devices were signed out.');
              client.removeQueries({ queryKey: ['operator'] });
              onDone();
            },
            onError,
          },
        );
      }}
    >
      <TextInput
        label="Name"
        description="For example the device it is on."
        autoComplete="off"
        maxLength={passkeyRules.nameLength}
        value={name}
        error={error}
        readOnly={add.isPending}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(undefined);
        }}
      />
    </CodeForm>
  );
}

/** To scan, to type, or to open on this device. */
function AppKey({ secret, uri }: Key) {
  return (
    <>
      <Group gap={20}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <Text size="sm" c="var(--tw-text-2)" flex="1 1 140px">
          Scan the code with your authenticator app. On this device? <Anchor href={uri}>Open the app</Anchor>.
        </Text>
      </Group>
      <TextBox label="Or type this key into the app" copy={<CopyIcon value={secret} what="key" />}>
        <GroupedText>{secret}</GroupedText>
      </TextBox>
    </>
  );
}
