import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { changeOperator, type Operator } from '../../../api/operator-state.ts';
import { CodeForm } from '../../../ui/forms/code-form.tsx';
import { CopyIcon } from '../../../ui/forms/copy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { QrCode } from '../../../ui/text/qr-code.tsx';
import { GroupedText, TextBox } from '../../../ui/text/text-box.tsx';
import { useSignOut } from '../shell/queries.ts';
import { SignInFrame } from './sign-in-page.tsx';
import { useConfirmOperatorTotp, useStartOperatorTotp } from './sign-in-queries.ts';

type Key = { secret: string; uri: string };

/**
 * No operator works without two-factor authentication (docs/product.md, section 10), so nothing else is shown before.
 * The key is in this page alone: whoever leaves it before the first code gets another.
 */
export function SetUpPage({ operator }: { operator: Operator }) {
  const start = useStartOperatorTotp();
  const confirm = useConfirmOperatorTotp();
  const signOut = useSignOut();
  const [key, setKey] = useState<Key>();

  return (
    <SignInFrame
      title="Set up two-factor authentication"
      lead={
        key ? (
          'Add this account to your authenticator app, then enter the code it shows.'
        ) : (
          <>You are signed in as {operator.email}. Every operator needs an authenticator app to open the console.</>
        )
      }
    >
      {key ? (
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
                changeOperator({ ...operator, second_factor: true });
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
      )}
      <Button mt="xs" variant="subtle" size="lg" fullWidth onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </SignInFrame>
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
