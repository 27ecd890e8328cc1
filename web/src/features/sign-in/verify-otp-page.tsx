import { Box, Button } from '@mantine/core';
import { Link, useLocation, useNavigate } from 'react-router';
import { otpLength } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { CodeEntry } from '../../ui/forms/code-entry.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { CodeTimes } from '../../ui/text/code-times.tsx';
import { CodeText, Trans } from '../../ui/text/text.tsx';
import { useForgotPassword, useVerifyOtp } from './queries.ts';
import { ResetSteps } from './reset-steps.tsx';
import { CodeRules, SecondFactorPage, type SignInMethod } from './second-factor-page.tsx';

/** The one-time password of a reset or of a two-factor sign-in (the specification, point 2). */
export function VerifyOtpPage() {
  const state = otpStateOf(useLocation().state);
  if (state === undefined) return <NoCode />;
  if (state.purpose === 'login') return <SecondFactorPage {...state} />;
  return (
    <NarrowFrame
      title={t`Enter code`}
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
    <Trans
      text={
        isMail
          ? t`If <b/> is the email address of an account, we have sent a ${otpLength}‑digit code to it.`
          : t`If <b/> is a Registered Id, we have emailed a ${otpLength}‑digit code to the address of that account.`
      }
      b={<b>{isMail ? loginId : <CodeText>{loginId.toUpperCase()}</CodeText>}</b>}
    />
  );
}

function ResetCode({ state }: { state: Extract<OtpState, { purpose: 'reset_password' }> }) {
  const navigate = useNavigate();
  const verify = useVerifyOtp();
  const forgot = useForgotPassword();

  const request = { loginId: state.loginId, request_token: state.requestToken };
  const sendAgain = () =>
    forgot.mutate(request, {
      onSuccess: ({ expires_at, resend_at }) => {
        toast.info(t`New code sent. The previous code no longer works.`);
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
      confirm={t`Verify`}
      busyLabel={t`Verifying`}
      isBusy={verify.isPending}
      onConfirm={({ otp }, onError) =>
        verify.mutate(
          { purpose: 'reset_password', ...request, otp },
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

/** Opened without anything to verify. */
function NoCode() {
  return (
    <NarrowFrame
      title={t`Enter code`}
      lead={t`No code has been sent yet. Sign in, or request a code with Forgot Password.`}
    >
      <Box mb={20}>
        <CodeEntry value="" problem={undefined} readOnly disabled autoFocus={false} onChange={() => undefined} />
      </Box>
      <Button component={Link} to={paths.login} size="lg" fullWidth>{t`Sign in`}</Button>
      <Button
        component={Link}
        to={paths.forgotPassword}
        size="lg"
        variant="subtle"
        fullWidth
        mt={8}
      >{t`Forgot Password`}</Button>
    </NarrowFrame>
  );
}

/** Passed by the previous page in the browser's history; it survives a reload and no more. */
type OtpState =
  | { purpose: 'login'; challenge: string; methods: readonly SignInMethod[] }
  | { purpose: 'reset_password'; loginId: string; requestToken: string; expiresAt: string; resendAt: string };

/** Location state is untrusted input. */
function otpStateOf(state: unknown): OtpState | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { purpose, challenge, methods, loginId, requestToken, expiresAt, resendAt } = state as Record<string, unknown>;
  if (purpose === 'login' && typeof challenge === 'string')
    return { purpose, challenge, methods: Array.isArray(methods) ? methods : ['app'] };
  if (purpose !== 'reset_password' || typeof loginId !== 'string') return undefined;
  if (typeof requestToken !== 'string') return undefined;
  if (typeof expiresAt !== 'string' || typeof resendAt !== 'string') return undefined;
  return { purpose, loginId, requestToken, expiresAt, resendAt };
}
