import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { challengeMinutes, otpLength, otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { Trans } from '../../ui/text/trans.tsx';
import classes from './form.module.css';
import { useVerifyOtp } from './queries.ts';
import { recoveryCodeRule } from './validation.ts';

/** Second step of a sign-in: an authenticator code or a recovery code. */
export function SecondFactorPage({ challenge }: { challenge: string }) {
  const [isRecovering, setRecovering] = useState(false);
  return (
    <NarrowFrame
      title={isRecovering ? t`Enter a recovery code` : t`Two-factor authentication`}
      lead={
        isRecovering
          ? t`Use one of the codes you saved when you set up two-factor authentication.`
          : t`Enter the ${otpLength}‑digit code from your authenticator app.`
      }
      back={paths.login}
      foot={<CodeRules note={t`This sign-in expires after ${challengeMinutes} minutes.`} />}
    >
      {isRecovering ? <RecoveryForm challenge={challenge} /> : <AppCode challenge={challenge} />}
      <Button variant="subtle" size="lg" fullWidth mt={8} onClick={() => setRecovering(!isRecovering)}>
        {isRecovering ? t`Use authenticator app` : t`Use recovery code`}
      </Button>
    </NarrowFrame>
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

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = recoveryCodeRule(code);
    setProblem(found);
    if (found !== null) return;
    secondFactor.send({ recovery_code: code.trim() }, (error) =>
      setProblem(error instanceof CallError ? (error.fields.recovery_code ?? error.message) : error.message),
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={18}>
        <TextInput
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
 * Once signed in, the guard of the public routes leads to the dashboard. An expired sign-in has to start again, so the login
 * page replaces this one while a toast shows the server's message.
 */
function useSecondFactor(challenge: string) {
  const navigate = useNavigate();
  const verify = useVerifyOtp();
  const send = (code: { otp: string } | { recovery_code: string }, onError: (error: Error) => void) =>
    verify.mutate(
      { purpose: 'login', challenge, ...code },
      {
        onSuccess: (data) => {
          if ('access_token' in data) signIn(data.access_token, data.user);
        },
        onError: (error) => {
          if (error instanceof CallError && error.code === 'sign_in_expired') navigate(paths.login, { replace: true });
          else onError(error);
        },
      },
    );
  return { send, isPending: verify.isPending };
}

export const CodeRules = ({ note = '' }: { note?: string }) => (
  <Trans
    text={t`A code works once. You have ${otpRules.tries} attempts. ${note}<br/>No one from ${appInfo.brandName} will ever ask you for a code.`}
    br={<br />}
  />
);
