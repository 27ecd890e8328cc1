import { useNavigate } from 'react-router';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { CodeTimes } from '../../ui/text/code-times.tsx';
import type { OtpState } from './otp-state.ts';
import { useForgotPassword, useVerifyOtp } from './queries.ts';

/** The mailed code of a reset. Another one makes it useless, and the page's times are then those of the new one. */
export function ResetCode({ state }: { state: Extract<OtpState, { purpose: 'reset_password' }> }) {
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
