import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/PinInput.layer.css';
import { Input, PinInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { otpLength } from '#contract/rules.ts';
import { formatCountdown } from '../../shared/format/time.ts';
import { paths } from '../../shared/paths.ts';
import { signIn } from '../../shared/sign-in-state.ts';
import { toast } from '../../shared/toast.ts';
import { BusyButton } from '../../shared/ui/busy-button.tsx';
import { useRealNow } from '../../shared/use-real-now.ts';
import classes from './otp-form.module.css';
import type { OtpState } from './otp-state.ts';
import { useForgotPassword, useVerifyOtp } from './queries.ts';

/** Six cells; a full code goes to the server by itself, also a pasted one. */
export function OtpForm({ state }: { state: OtpState }) {
  const navigate = useNavigate();
  const verify = useVerifyOtp();
  const firstCell = useRef<HTMLInputElement>(null);
  const [otp, setOtp] = useState('');
  const [problem, setProblem] = useState<string>();

  const send = (code: string) => {
    if (code.length !== otpLength || verify.isPending) return;
    const body =
      state.purpose === 'login'
        ? { purpose: state.purpose, challenge: state.challenge, otp: code }
        : { purpose: state.purpose, loginId: state.loginId, otp: code };
    verify.mutate(body, {
      onSuccess: (data) => {
        if ('reset_token' in data) {
          navigate(paths.resetPassword, { replace: true, state: { resetToken: data.reset_token } });
        } else {
          signIn(data.access_token, data.user);
        }
      },
      onError: (error) => {
        setOtp('');
        setProblem(error.message);
        firstCell.current?.focus();
      },
    });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(otp);
  };

  return (
    <form onSubmit={submit} noValidate>
      <PinInput
        ref={firstCell}
        type="number"
        inputType="text"
        autoFocus
        aria-label={`${otpLength}-digit code`}
        classNames={{ root: classes.cells, pinInput: classes.cell, input: classes.input }}
        value={otp}
        error={problem !== undefined}
        readOnly={verify.isPending}
        getInputProps={(index) => ({ 'aria-label': `Digit ${index + 1} of ${otpLength}` })}
        onChange={(value) => {
          setOtp(value);
          if (value !== '') setProblem(undefined);
          // Not onComplete: it stays silent for the second code after one that was wrong.
          send(value);
        }}
      />
      {problem !== undefined && <Input.Error className={classes.problem ?? ''}>{problem}</Input.Error>}
      {state.purpose === 'reset_password' ? <Times state={state} /> : <div className={classes.meta} />}
      <BusyButton
        type="submit"
        size="lg"
        fullWidth
        disabled={otp.length !== otpLength}
        busy={verify.isPending}
        busyLabel="Verifying"
      >
        Verify
      </BusyButton>
    </form>
  );
}

/** How long the code still works, and when another one can be sent. */
function Times({ state }: { state: Extract<OtpState, { purpose: 'reset_password' }> }) {
  const navigate = useNavigate();
  const forgot = useForgotPassword();
  const now = useRealNow();
  const validMs = Date.parse(state.expiresAt) - now;
  const resendMs = Date.parse(state.resendAt) - now;

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
    <div className={classes.meta}>
      <span>{validMs > 0 ? `Valid for ${formatCountdown(validMs)}` : 'This code has expired'}</span>
      {resendMs > 0 ? (
        <span>Send again in {formatCountdown(resendMs)}</span>
      ) : (
        <UnstyledButton className={classes.again} onClick={sendAgain} disabled={forgot.isPending}>
          {forgot.isPending ? 'Sending' : 'Send again'}
        </UnstyledButton>
      )}
    </div>
  );
}
