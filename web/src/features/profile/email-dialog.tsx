import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { withdrawalRules } from '#contract/rules.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { EmailForm } from './email-form.tsx';
import { type EmailAim, type EmailStep, emailStep, emailStepOf, isLive } from './email-step.ts';
import { ProfileDialog } from './profile-dialog.tsx';
import { useChangeEmail, useSendEmailCode } from './queries.ts';

type EmailDialogProps = {
  /** In force. */
  email: string;
  /** undefined: closed, unless a code was mailed before a reload. */
  aim: EmailAim | undefined;
  onClose: () => void;
};

/** A code goes to the address, and comes back together with the password. */
export function EmailDialog({ email, aim, onClose }: EmailDialogProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const sendCode = useSendEmailCode();
  const change = useChangeEmail();
  const step = emailStepOf(location.state);
  const [last, setLast] = useState(step);
  // The words stay while the dialog closes.
  const [lastAim, setLastAim] = useState<EmailAim>('change');
  const shownAim = step?.aim ?? aim ?? lastAim;
  if (shownAim !== lastAim) setLastAim(shownAim);
  const isVerifying = shownAim === 'verify';

  const show = (next: EmailStep | undefined) =>
    void navigate(
      { search: location.search },
      { replace: true, preventScrollReset: true, state: next && { emailStep: next } },
    );
  const close = () => {
    if (step) show(undefined);
    onClose();
  };
  const ask = (address: string, onError?: (error: Error) => void) =>
    sendCode.mutate(address, {
      onSuccess: (sent) => {
        const next = emailStep(shownAim, address, sent);
        setLast(next);
        show(next);
      },
      ...(onError ? { onError } : {}),
    });

  return (
    <ProfileDialog
      opened={aim !== undefined || step !== undefined}
      onClose={close}
      title={isVerifying ? 'Verify your mail address' : 'Change your mail address'}
      isHeld={sendCode.isPending || change.isPending}
    >
      {step ? (
        <CodeForm
          layout="dialog"
          asks={['otp', 'password']}
          codeLabel="Code from the mail"
          confirm={isVerifying ? 'Verify' : 'Change the address'}
          busyLabel={isVerifying ? 'Verifying' : 'Changing'}
          isBusy={change.isPending}
          back={{ label: 'Cancel', onClick: close }}
          onConfirm={({ otp, password }, onError) =>
            change.mutate(
              { email: step.email, otp, password },
              {
                onSuccess: (user) => {
                  if (isVerifying) toast.success('Mail address verified', user.email);
                  else toast.success('Mail address changed', 'All other devices were signed out.');
                  setLast(undefined);
                  close();
                },
                onError,
              },
            )
          }
          times={
            <CodeTimes
              expiresAt={step.expiresAt}
              resendAt={step.resendAt}
              isSending={sendCode.isPending}
              onSendAgain={() => ask(step.email)}
            />
          }
        >
          <CodeSent to={step.email} delayed={step.delayed}>
            Whoever reads it there and knows your password can confirm the address.
          </CodeSent>
        </CodeForm>
      ) : (
        <EmailForm
          known={isVerifying ? email : undefined}
          isBusy={sendCode.isPending}
          onCancel={close}
          onAsk={(address, onError) => {
            if (isLive(last, address, Date.now()) && last.aim === shownAim) show(last);
            else ask(address, onError);
          }}
        >
          {isVerifying ? (
            <>A code goes to it. When it comes back, we know that our mails arrive.</>
          ) : (
            <>
              A code goes to the new address. When it comes back, your mails go there; the old address is told, all
              other devices are signed out, and withdrawals wait <b>{withdrawalRules.waitHours} hours</b>.
            </>
          )}
        </EmailForm>
      )}
    </ProfileDialog>
  );
}
