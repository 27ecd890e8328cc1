import { Box, Button } from '@mantine/core';
import { Link, useLocation, useNavigate } from 'react-router';
import { otpLength } from '#contract/rules.ts';
import { CodeEntry } from '../../ui/forms/code-entry.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { CodeTimes } from '../../ui/text/code-times.tsx';
import { useForgotPassword, useVerifyOtp } from './queries.ts';
import { ResetSteps } from './reset-steps.tsx';
import { CodeRules, SecondFactorPage } from './second-factor-page.tsx';

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

/** The mailed code of a reset. Another one makes it useless, and the page's times are then those of the new one. */
function ResetCode({ state }: { state: Extract<OtpState, { purpose: 'reset_password' }> }) {
  const navigate = useNavigate();
  const verify = useVerifyOtp();
  const forgot = useForgotPassword();

  const sendAgain = () =>
    forgot.mutate(state.loginId, {
      onSuccess: ({ expires_at, resend_at }) => {
        toast.info('A new code is on its way. The one before no longer works.');
        navigate(paths.verifyOtp, {
          replace: true,
          state: { ...state, expiresAt: expires_at, resendAt: resend_at },
        });
      },
    });

  return (
    <CodeForm
      layout="page"
      asks={['otp']}
      sendsItself
      confirm="Verify"
      busyLabel="Verifying"
      isBusy={verify.isPending}
      onConfirm={({ otp }, onError) =>
        verify.mutate(
          { purpose: 'reset_password', loginId: state.loginId, otp },
          {
            onSuccess: (data) => {
              if ('reset_token' in data) {
                navigate(paths.resetPassword, { replace: true, state: { resetToken: data.reset_token } });
              }
            },
            onError,
          },
        )
      }
      times={
        <CodeTimes
          expiresAt={state.expiresAt}
          resendAt={state.resendAt}
          isSending={forgot.isPending}
          onSendAgain={sendAgain}
        />
      }
    />
  );
}

/** Opened without anything to verify: the cells stand there, off, with what to do first. */
function NoCode() {
  return (
    <NarrowFrame title="Enter the code" lead="No code was sent yet. Sign in, or request one with Forgot Password.">
      <Box mb={20}>
        <CodeEntry value="" problem={undefined} readOnly disabled autoFocus={false} onChange={() => undefined} />
      </Box>
      <Button component={Link} to={paths.login} size="lg" fullWidth>
        Go to sign in
      </Button>
      <Button component={Link} to={paths.forgotPassword} size="lg" variant="subtle" fullWidth mt={8}>
        Forgot Password
      </Button>
    </NarrowFrame>
  );
}

/** What the page before leaves in the browser's history for the code page; it survives a reload and no more. */
type OtpState =
  | { purpose: 'login'; challenge: string }
  | { purpose: 'reset_password'; loginId: string; expiresAt: string; resendAt: string };

/** The state of a location is whatever somebody put there, so it is looked at before it is believed. */
function otpStateOf(state: unknown): OtpState | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { purpose, challenge, loginId, expiresAt, resendAt } = state as Record<string, unknown>;
  if (purpose === 'login' && typeof challenge === 'string') return { purpose, challenge };
  if (purpose !== 'reset_password' || typeof loginId !== 'string') return undefined;
  if (typeof expiresAt !== 'string' || typeof resendAt !== 'string') return undefined;
  return { purpose, loginId, expiresAt, resendAt };
}
