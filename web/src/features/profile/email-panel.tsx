import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { personRules } from '../../entities/member/check.ts';
import { partsOf, useMailedCode } from '../../entities/member/mailed-code.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { Panel } from '../../ui/frame/panel.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { Words } from '../../ui/text/words.tsx';
import { securityQuery, useChangeEmail, useSendEmailCode } from './queries.ts';

/** Verifying shows that the address in force is read; changing puts another one in its place. */
type Aim = 'verify' | 'change';

/** Where the account's mails go: whether somebody reads them there, and the way to another address. */
export function EmailPanel({ email, frozen }: { email: string; frozen: boolean }) {
  const isVerified = useQuery(securityQuery).data?.email_verified;
  const [aim, setAim] = useState<Aim>();
  return (
    <Panel
      title="Mail address"
      control={isVerified !== undefined && <StateBadge of="security" state={isVerified ? 'verified' : 'unverified'} />}
    >
      <Text fw={500} mb={4} style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      <Words>
        Codes for withdrawals and for a new password go to it
        {isVerified === false ? ', so make sure that they arrive.' : '.'}
        {frozen && ' It cannot be changed while your account is frozen.'}
      </Words>
      {!frozen && (
        <Group gap="xs" mt={14}>
          {isVerified === false && (
            <Button variant="default" onClick={() => setAim('verify')}>
              Verify
            </Button>
          )}
          <Button variant="default" aria-label="Change the mail address" onClick={() => setAim('change')}>
            Change
          </Button>
        </Group>
      )}
      <EmailDialog email={email} aim={aim} onClose={() => setAim(undefined)} />
    </Panel>
  );
}

type Asked = { aim: Aim; email: string };

function isAsked(value: unknown): value is Asked {
  const { aim, email } = partsOf(value);
  return (aim === 'verify' || aim === 'change') && typeof email === 'string';
}

type EmailDialogProps = {
  /** In force. */
  email: string;
  /** undefined: closed, unless a code was mailed before a reload. */
  aim: Aim | undefined;
  onClose: () => void;
};

/** A code goes to the address, and comes back together with the password. */
function EmailDialog({ email, aim, onClose }: EmailDialogProps) {
  const sendCode = useSendEmailCode();
  const change = useChangeEmail();
  const { step, show, keep, live, forget } = useMailedCode('email', isAsked);
  // The words stay while the dialog closes.
  const [lastAim, setLastAim] = useState<Aim>('change');
  const shownAim = step?.asked.aim ?? aim ?? lastAim;
  if (shownAim !== lastAim) setLastAim(shownAim);
  const isVerifying = shownAim === 'verify';

  const close = () => {
    if (step) show(undefined);
    onClose();
  };
  const ask = (asked: Asked, onError?: (error: Error) => void) =>
    sendCode.mutate(asked.email, { onSuccess: (sent) => keep(asked, sent), ...(onError ? { onError } : {}) });

  return (
    <Dialog
      isSheet
      withCloseButton={false}
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
              { email: step.asked.email, otp, password },
              {
                onSuccess: (user) => {
                  if (isVerifying) toast.success('Mail address verified', user.email);
                  else toast.success('Mail address changed', 'All other devices were signed out.');
                  forget();
                  close();
                },
                onError,
              },
            )
          }
          times={<CodeTimes {...step.code} isSending={sendCode.isPending} onSendAgain={() => ask(step.asked)} />}
        >
          <CodeSent to={step.asked.email} delayed={step.code.delayed}>
            Whoever reads it there and knows your password can confirm the address.
          </CodeSent>
        </CodeForm>
      ) : (
        <EmailForm
          known={isVerifying ? email : undefined}
          isBusy={sendCode.isPending}
          onCancel={close}
          onAsk={(address, onError) => {
            const asked = { aim: shownAim, email: address };
            const before = live(asked);
            if (before) show(before);
            else ask(asked, onError);
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
    </Dialog>
  );
}

type EmailFormProps = {
  /** The address in force, when it is the one to confirm; undefined: another one is asked for. */
  known: string | undefined;
  isBusy: boolean;
  onCancel: () => void;
  onAsk: (email: string, onError: (error: Error) => void) => void;
  /** What follows. */
  children: ReactNode;
};

/** Step 1: which address, and what comes of it. */
function EmailForm({ known, isBusy, onCancel, onAsk, children }: EmailFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(known ?? '');
  const [fault, setFault] = useState<string | null>(null);

  const show = (message: string | null) => {
    setFault(message);
    if (message !== null) field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = known === undefined ? personRules.email(email) : null;
    show(found);
    if (found !== null) return;
    onAsk(email.trim(), (error) => show(error instanceof CallError ? (error.fields.email ?? null) : null));
  };

  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        label={known === undefined ? 'New mail address' : 'Mail address'}
        type="email"
        inputMode="email"
        autoComplete={known === undefined ? 'email' : 'off'}
        spellCheck={false}
        data-autofocus
        readOnly={known !== undefined || isBusy}
        error={fault}
        errorProps={{ role: 'alert' }}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setFault(null);
        }}
      />
      <Words>{children}</Words>
      <div className={form.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={isBusy} busyLabel="Sending">
          Send me a code
        </BusyButton>
      </div>
    </form>
  );
}
