import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { otpLength, otpRules } from '#contract/rules.ts';
import { appInfo } from '../../shared/app-info.ts';
import { paths } from '../../shared/paths.ts';
import { CodeText } from '../../shared/ui/code-text.tsx';
import { NarrowFrame, ResetSteps } from './narrow-frame.tsx';
import { OtpForm } from './otp-form.tsx';
import { type OtpState, otpStateOf } from './otp-state.ts';

/** The one-time password of a reset or of a login with a second factor (specification.md, point 2). */
export function VerifyOtpPage() {
  const state = otpStateOf(useLocation().state);
  if (state === undefined) return <NoCode />;
  return (
    <NarrowFrame
      title="Enter the code"
      lead={<Lead state={state} />}
      back={state.purpose === 'login' ? paths.login : paths.forgotPassword}
      foot={
        <>
          A code works once and allows {otpRules.tries} tries.
          <br />
          No one from {appInfo.brandName} will ever ask you for it.
        </>
      }
    >
      <OtpForm state={state} />
      {state.purpose === 'reset_password' && <ResetSteps current={2} />}
    </NarrowFrame>
  );
}

function Lead({ state }: { state: OtpState }) {
  if (state.purpose === 'login') return <>Your authenticator app shows a {otpLength}‑digit code for this account.</>;
  const isMail = state.loginId.includes('@');
  return (
    <>
      If <b>{isMail ? state.loginId : <CodeText>{state.loginId.toUpperCase()}</CodeText>}</b> is{' '}
      {isMail ? 'the address of an account' : 'a registered id'}, we have mailed a {otpLength}‑digit code to{' '}
      {isMail ? 'it' : 'the address of that account'}.
    </>
  );
}

/** Opened without anything to verify: says so and shows the way. */
function NoCode() {
  return (
    <NarrowFrame title="No code was asked for" lead="Sign in, or ask for a code to choose a new password.">
      <Button component={Link} to={paths.login} size="lg" fullWidth>
        Go to sign in
      </Button>
      <Button component={Link} to={paths.forgotPassword} size="lg" variant="subtle" fullWidth mt={8}>
        Forgot Password
      </Button>
    </NarrowFrame>
  );
}
