import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { otpLength } from '#contract/rules.ts';
import { CodeEntry } from '../../ui/forms/code-entry.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { CodeRules } from './code-rules.tsx';
import { otpStateOf } from './otp-state.ts';
import { ResetCode } from './reset-code.tsx';
import { ResetSteps } from './reset-steps.tsx';
import { SecondFactorPage } from './second-factor-page.tsx';
import classes from './verify-otp-page.module.css';

/** The one-time password of a reset or of a login with a second factor (the specification, point 2). */
export function VerifyOtpPage() {
  const state = otpStateOf(useLocation().state);
  if (state === undefined) return <NoCode />;
  if (state.purpose === 'login') return <SecondFactorPage challenge={state.challenge} />;
  return (
    <NarrowFrame
      title="Enter the code"
      lead={<Lead loginId={state.loginId} />}
      back={paths.forgotPassword}
      foot={<CodeRules />}
    >
      <ResetCode state={state} />
      <ResetSteps current={2} />
    </NarrowFrame>
  );
}

function Lead({ loginId }: { loginId: string }) {
  const isMail = loginId.includes('@');
  return (
    <>
      If <b>{isMail ? loginId : <CodeText>{loginId.toUpperCase()}</CodeText>}</b> is{' '}
      {isMail ? 'the address of an account' : 'a registered id'}, we have mailed a {otpLength}‑digit code to{' '}
      {isMail ? 'it' : 'the address of that account'}.
    </>
  );
}

/** Opened without anything to verify: the cells stand there, off, with what to do first. */
function NoCode() {
  return (
    <NarrowFrame title="Enter the code" lead="No code was sent yet. Sign in, or request one with Forgot Password.">
      <div className={classes.off}>
        <CodeEntry value="" problem={undefined} readOnly disabled autoFocus={false} onChange={() => undefined} />
      </div>
      <Button component={Link} to={paths.login} size="lg" fullWidth>
        Go to sign in
      </Button>
      <Button component={Link} to={paths.forgotPassword} size="lg" variant="subtle" fullWidth mt={8}>
        Forgot Password
      </Button>
    </NarrowFrame>
  );
}
