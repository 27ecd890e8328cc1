import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { challengeMinutes, otpLength, otpRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './form.module.css';
import { useVerifyOtp } from './queries.ts';
import { recoveryCodeRule } from './validation.ts';

/** The second half of a sign-in: a code of the authenticator app or, without it, a recovery code. */
export function SecondFactorPage({ challenge }: { challenge: string }) {
  const [isRecovering, setRecovering] = useState(false);
  return (
    <NarrowFrame
      title={isRecovering ? 'Enter a recovery code' : 'Enter the code'}
      lead={
        isRecovering ? (
          <>One of the codes you kept when you turned your second factor on.</>
        ) : (
          <>Your authenticator app shows a {otpLength}‑digit code for this account.</>
        )
      }
      back={paths.login}
      foot={<CodeRules>This sign-in waits {challengeMinutes} minutes for it.</CodeRules>}
    >
      {isRecovering ? <RecoveryForm challenge={challenge} /> : <AppCode challenge={challenge} />}
      <Button variant="subtle" size="lg" fullWidth mt={8} onClick={() => setRecovering(!isRecovering)}>
        {isRecovering ? 'Use the authenticator app' : 'Use a recovery code instead'}
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
      confirm="Verify"
      busyLabel="Verifying"
      isBusy={isPending}
      onConfirm={({ otp }, onError) => send({ otp }, onError)}
    />
  );
}

/** Instead of a code of the app one of the ten that were shown when it was set up. Each counts once. */
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
          label="Recovery code"
          description="Four groups of four, with or without the hyphens. It works once."
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
        <BusyButton type="submit" size="lg" fullWidth busy={secondFactor.isPending} busyLabel="Verifying">
          Verify
        </BusyButton>
      </Stack>
    </form>
  );
}

/**
 * The second half of a sign-in. Being signed in, the member is led to the dashboard by the guard of the public routes. A
 * sign-in that is over, by time or by tries, can only be begun again: the login page takes this one's place, under the
 * server's words about it in a toast.
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

/** What everybody should know of a code, at the foot of its page. */
export const CodeRules = ({ children }: { children?: ReactNode }) => (
  <>
    A code works once and allows {otpRules.tries} tries. {children}
    <br />
    No one from {appInfo.brandName} will ever ask you for it.
  </>
);
