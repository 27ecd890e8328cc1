import { Button } from '@mantine/core';
import { useState } from 'react';
import { challengeMinutes, otpLength } from '#contract/rules.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeRules } from './code-rules.tsx';
import { RecoveryForm } from './recovery-form.tsx';
import { useSecondFactor } from './use-second-factor.ts';

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
