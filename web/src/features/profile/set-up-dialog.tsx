import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { withdrawalRules } from '#contract/rules.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { QrCode } from '../../ui/text/qr-code.tsx';
import { CopyIcon } from './copy-icon.tsx';
import classes from './dialog.module.css';
import { ProfileDialog } from './profile-dialog.tsx';
import { useConfirmTotp, useStartTotp } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type SetUpDialogProps = { opened: boolean; onClose: () => void };
type Key = { secret: string; uri: string };

/**
 * Turns the second factor on: the password, the key for the app with a first code of it, and the recovery codes. The key
 * lives in this dialog alone; closed before the first code, nothing is turned on, and the next start makes another.
 */
export function SetUpDialog({ opened, onClose }: SetUpDialogProps) {
  const start = useStartTotp();
  const confirm = useConfirmTotp();
  const [key, setKey] = useState<Key>();
  const [codes, setCodes] = useState<string[]>();

  const forget = () => {
    setKey(undefined);
    setCodes(undefined);
  };

  return (
    <ProfileDialog
      opened={opened}
      onClose={onClose}
      onGone={forget}
      title={codes ? 'Keep your recovery codes' : 'Turn on the second factor'}
      isHeld={start.isPending || confirm.isPending || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            toast.success('Second factor is on', 'All other devices were signed out.');
            onClose();
          }}
        />
      ) : key ? (
        <CodeForm
          key="code"
          layout="dialog"
          asks={['otp']}
          codeLabel="The code your app shows for it"
          confirm="Turn on"
          busyLabel="Turning on"
          isBusy={confirm.isPending}
          back={{ label: 'Cancel', onClick: onClose }}
          onConfirm={({ otp }, onError) =>
            confirm.mutate(otp, {
              onSuccess: ({ recovery_codes }) => setCodes(recovery_codes),
              onError,
            })
          }
        >
          <AppKey {...key} />
        </CodeForm>
      ) : (
        <CodeForm
          layout="dialog"
          asks={['password']}
          confirm="Continue"
          busyLabel="Checking"
          isBusy={start.isPending}
          back={{ label: 'Cancel', onClick: onClose }}
          onConfirm={({ password }, onError) => start.mutate(password, { onSuccess: setKey, onError })}
        >
          <p className={form.words}>
            Signing in will then take your password and a code of an authenticator app on your phone. Any of these apps
            will do; all show a new code every 30 seconds.
          </p>
          <p className={form.words}>
            When it is on, all other devices are signed out, and withdrawals wait{' '}
            <b>{withdrawalRules.waitHours} hours</b>.
          </p>
        </CodeForm>
      )}
    </ProfileDialog>
  );
}

/** For a camera, to be typed, or for an app on this very device. */
function AppKey({ secret, uri }: Key) {
  return (
    <>
      <div className={classes.app}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div>
          <p className={form.words}>Scan it with your authenticator app.</p>
          <p className={form.words}>
            Is the app on this device? <Anchor href={uri}>Open it there</Anchor>.
          </p>
        </div>
      </div>
      <div>
        <div className={form.label}>Or type this key into the app</div>
        <div className={classes.secret}>
          <CodeText>{inGroups(secret)}</CodeText>
          <CopyIcon value={secret} what="key" />
        </div>
      </div>
    </>
  );
}

/** `inGroups('JBSWY3DPEHPK') === 'JBSW Y3DP EHPK'` */
const inGroups = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ');
