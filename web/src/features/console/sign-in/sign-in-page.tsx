import { Box, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import { operator } from '#contract/endpoints.ts';
import { isRequired, labels, otpLength } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import { CallError, call } from '../../../api/call.ts';
import { signInOperator } from '../../../api/operator-state.ts';
import { useSend } from '../../../api/send-to.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../../ui/forms/code-form.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { useFirstError } from '../../../ui/forms/use-first-error.ts';
import { ProductMode } from '../../../ui/frame/mode-label.tsx';
import { ThemeSwitch } from '../../../ui/frame/theme-switch.tsx';
import { Refusal } from '../../../ui/plain/refusal.tsx';
import { Paragraph } from '../../../ui/text/paragraph.tsx';
import { ConsoleBrand } from '../shell/shell.tsx';

type Challenge = { challenge: string; methods: readonly ('app' | 'passkey')[] };

/** Email address and password, then the code from the authenticator app or a passkey. */
export function SignInPage() {
  const [challenge, setChallenge] = useState<Challenge>();
  if (challenge !== undefined) return <CodeStep {...challenge} onBack={() => setChallenge(undefined)} />;
  return <PasswordStep onChallenge={setChallenge} />;
}

type FieldErrors = { email?: string | undefined; password?: string | undefined };

function PasswordStep({ onChallenge }: { onChallenge: (challenge: Challenge) => void }) {
  const login = useOperatorLogin();
  const { form, focusFirstError } = useFirstError();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});

  const show = (next: FieldErrors) => {
    setErrors(next);
    focusFirstError();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      email: email.trim() === '' ? isRequired(labels.email) : undefined,
      password: password === '' ? isRequired(labels.password) : undefined,
    };
    show(missing);
    if (missing.email !== undefined || missing.password !== undefined) return;
    login.mutate(
      { email: email.trim(), password },
      {
        onSuccess: (data) => 'challenge' in data && onChallenge(data),
        onError: (error) => error instanceof CallError && show(error.fields),
      },
    );
  };

  return (
    <SignInFrame title="Operator sign-in" lead="For operators only. Members use the member sign-in.">
      <Stack gap={18} renderRoot={(props) => <form {...props} ref={form} onSubmit={submit} noValidate />}>
        <TextInput
          label={labels.email}
          type="email"
          autoComplete="username"
          spellCheck={false}
          value={email}
          error={errors.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={labels.password}
          autoComplete="current-password"
          value={password}
          error={errors.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Refusal error={login.error} />
        <BusyButton type="submit" size="lg" fullWidth busy={login.isPending} busyLabel="Signing in">
          Sign in
        </BusyButton>
      </Stack>
    </SignInFrame>
  );
}

function CodeStep({ challenge, methods, onBack }: Challenge & { onBack: () => void }) {
  const verify = useSend(operator.verifyOperatorOtp, { onSuccess: keep, gcTime: 0 });
  const byPasskey = usePasskeyCode();
  const hasApp = methods.includes('app');
  const isBusy = verify.isPending || byPasskey.isPending;
  return (
    <SignInFrame
      title={hasApp ? 'Enter the code' : 'Use your passkey'}
      lead={
        hasApp
          ? `Enter the ${otpLength}‑digit code from your authenticator app. After five wrong codes you have to sign in again.`
          : 'Your password was right. Confirm with your passkey.'
      }
    >
      {hasApp && (
        <CodeForm
          layout="page"
          asks={['otp']}
          sendsItself
          confirm="Verify"
          busyLabel="Verifying"
          isBusy={isBusy}
          onConfirm={({ otp }, onError) => verify.mutate({ challenge, otp }, { onError })}
        />
      )}
      {methods.includes('passkey') && (
        <Stack gap="sm" mt={hasApp ? 'sm' : 0}>
          <Refusal error={byPasskey.error} />
          <BusyButton
            size="lg"
            fullWidth
            {...(hasApp && { variant: 'default' })}
            busy={byPasskey.isPending}
            busyLabel="Waiting for your passkey"
            leftSection={<IconFingerprint size={18} stroke={1.5} aria-hidden />}
            onClick={() => !isBusy && byPasskey.mutate(challenge)}
          >
            Use a passkey
          </BusyButton>
        </Stack>
      )}
      <Button mt="xs" variant="subtle" size="lg" fullWidth onClick={onBack}>
        Use another account
      </Button>
    </SignInFrame>
  );
}

/** The frame of the pages before the console: one centred card, the mode always visible. */
export function SignInFrame({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={0} mih="100vh">
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <Group component="header" gap="xs" mih="var(--tw-header)" px={{ base: 'md', sm: 'lg' }}>
        <ConsoleBrand />
        <ProductMode />
        <Box ml="auto">
          <ThemeSwitch />
        </Box>
      </Group>
      <Paper
        component="main"
        id="page"
        tabIndex={-1}
        aria-label={title}
        withBorder
        radius="xl"
        p={28}
        m="auto"
        w="min(440px, calc(100% - 32px))"
      >
        <Title order={1} size="xl" fw={600} lh="1.75rem">
          {title}
        </Title>
        <Paragraph mt={4} mb="lg">
          {lead}
        </Paragraph>
        {children}
      </Paper>
      <Text component="footer" size="xs" c="dimmed" ta="center" px="lg" pt="md" pb="lg">
        All sign-ins and actions of operators are recorded in the audit log.
      </Text>
    </Stack>
  );
}

type SignedIn = DataOf<typeof operator.verifyOperatorOtp>;

/** Signs in with the answer of the last step. */
export const keep = ({ access_token, operator: account, second_factor }: SignedIn): void =>
  signInOperator(access_token, { ...account, second_factor });

/** With two-factor authentication it returns a challenge instead of signing in. */
const useOperatorLogin = () =>
  useSend(operator.operatorLogin, {
    onSuccess: (data) => {
      if ('access_token' in data) keep(data);
    },
    gcTime: 0,
  });

/** The second step of a sign-in, by a passkey of this device or of one nearby. */
const usePasskeyCode = () =>
  useMutation({
    mutationFn: async (challenge: string) => {
      const request = await call(operator.startOperatorPasskeySignIn, { body: { challenge } });
      const { askPasskey } = await import('../../../api/ask-passkey.ts');
      return call(operator.verifyOperatorOtp, { body: { challenge, otp: await askPasskey(request) } });
    },
    onSuccess: keep,
    gcTime: 0,
  });
