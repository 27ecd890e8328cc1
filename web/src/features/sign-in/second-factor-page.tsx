import { Button, Stack, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { identity } from '#contract/accounts/sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { challengeMinutes, otpLength, otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/can-use-passkeys.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import classes from './auth-frame.module.css';
import { usePasskeySecondStep, useVerifyOtp } from './queries.ts';
import { recoveryCodeRule } from './validation.ts';

export type SignInMethod = 'app' | 'passkey';
type Method = SignInMethod | 'recovery_code';

const heads: Record<Method, { title: string; lead: string }> = {
  app: {
    title: t`Two-factor authentication`,
    lead: t`Enter the ${otpLength}‑digit code from your authenticator app.`,
  },
  passkey: {
    title: t`Two-factor authentication`,
    lead: t`Confirm with your passkey: with your finger, your face or the PIN of your device.`,
  },
  recovery_code: {
    title: t`Enter a recovery code`,
    lead: t`Use one of the codes you saved when you set up two-factor authentication. If you lost them too, write to ${appInfo.supportEmail ?? 'support'}.`,
  },
};

/** Second step of a sign-in: an authenticator code, a passkey or a recovery code. */
export function SecondFactorPage({ challenge, methods }: { challenge: string; methods: readonly SignInMethod[] }) {
  const [method, setMethod] = useState<Method>(methods.includes('app') ? 'app' : 'passkey');
  const hasPasskey = methods.includes('passkey') && canUsePasskeys();
  return (
    <NarrowFrame
      {...heads[method]}
      back={paths.login}
      foot={<CodeRules note={t`This sign-in expires after ${challengeMinutes} minutes.`} />}
    >
      {method === 'app' && <AppCode challenge={challenge} />}
      {method === 'recovery_code' && <RecoveryForm challenge={challenge} />}
      {method === 'passkey' && !hasPasskey && (
        <Paragraph>{t`This browser cannot use your passkey here. Use a recovery code, or sign in on the device that has it.`}</Paragraph>
      )}
      {hasPasskey && method !== 'recovery_code' && (
        <PasskeyButton challenge={challenge} isFirst={method === 'passkey'} />
      )}
      {method !== 'recovery_code' && (
        <Button variant="subtle" size="lg" fullWidth mt={8} onClick={() => setMethod('recovery_code')}>
          {t`Use recovery code`}
        </Button>
      )}
      {method === 'recovery_code' && (
        <Button
          variant="subtle"
          size="lg"
          fullWidth
          mt={8}
          onClick={() => setMethod(methods.includes('app') ? 'app' : 'passkey')}
        >
          {methods.includes('app') ? t`Use authenticator app` : t`Use a passkey`}
        </Button>
      )}
    </NarrowFrame>
  );
}

function PasskeyButton({ challenge, isFirst }: { challenge: string; isFirst: boolean }) {
  const passkey = usePasskeySecondStep(challenge);
  const end = useSignInEnd();
  return (
    <Stack gap={12} mt={isFirst ? 0 : 12}>
      <Refusal error={passkey.error} />
      <BusyButton
        variant={isFirst ? 'filled' : 'default'}
        size="lg"
        fullWidth
        leftSection={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
        busy={passkey.isPending}
        busyLabel={t`Waiting`}
        onClick={() => passkey.mutate(undefined, end())}
      >{t`Use a passkey`}</BusyButton>
    </Stack>
  );
}

function AppCode({ challenge }: { challenge: string }) {
  const { send, isPending } = useSecondFactor(challenge);
  return (
    <CodeForm
      layout="page"
      asks={['otp']}
      sendsItself
      confirm={t`Verify`}
      busyLabel={t`Verifying`}
      isBusy={isPending}
      onConfirm={({ otp }, onError) => send({ otp }, onError)}
    />
  );
}

function RecoveryForm({ challenge }: { challenge: string }) {
  const secondFactor = useSecondFactor(challenge);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  const say = (message: string) => {
    setProblem(message);
    field.current?.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = recoveryCodeRule(code);
    if (found !== null) return say(found);
    secondFactor.send({ recovery_code: code.trim() }, (error) =>
      say(error instanceof CallError ? (error.fields.recovery_code ?? error.message) : error.message),
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={18}>
        <TextInput
          ref={field}
          label={t`Recovery code`}
          description={t`Four groups of four characters, with or without hyphens. Each code works once.`}
          error={problem}
          errorProps={{ role: 'alert' }}
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={secondFactor.isPending}
          classNames={{ input: classes.code }}
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          busy={secondFactor.isPending}
          busyLabel={t`Verifying`}
        >{t`Verify`}</BusyButton>
      </Stack>
    </form>
  );
}

/**
 * Once signed in, the guard of the public routes leads to the dashboard. An expired sign-in has to start over, so the
 * login page replaces this one while a toast shows the server's message.
 */
function useSignInEnd() {
  const navigate = useNavigate();
  return (onError?: (error: Error) => void) => ({
    onSuccess: (data: DataOf<typeof identity.verifyOtp>) => {
      if ('access_token' in data) signIn(data.access_token, data.user);
    },
    onError: (error: Error) => {
      if (error instanceof CallError && error.code === 'sign_in_expired') navigate(paths.login, { replace: true });
      else onError?.(error);
    },
  });
}

function useSecondFactor(challenge: string) {
  const verify = useVerifyOtp();
  const end = useSignInEnd();
  const send = (code: { otp: string } | { recovery_code: string }, onError: (error: Error) => void) =>
    verify.mutate({ purpose: 'login', challenge, ...code }, end(onError));
  return { send, isPending: verify.isPending };
}

export const CodeRules = ({ note = '' }: { note?: string }) => (
  <Trans
    text={t`A code works once. You have ${otpRules.tries} attempts. ${note}<br/>No one from ${appInfo.brandName} will ever ask you for a code.`}
    br={<br />}
  />
);
