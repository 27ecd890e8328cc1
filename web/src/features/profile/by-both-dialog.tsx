import { useState } from 'react';
import { recoveryCodeRules, withdrawalRules } from '#contract/rules.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { ProfileDialog } from './profile-dialog.tsx';
import { useDisableTotp, useRenewRecoveryCodes } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type ByBothProps = { opened: boolean; onClose: () => void };

/** Both take the app and the password: neither an open browser nor a lost phone is enough. */
const fields = {
  layout: 'dialog',
  asks: ['otp', 'password'],
  codeLabel: 'Code of your authenticator app',
} as const;

/** Ten new recovery codes, shown once. */
export function RenewCodesDialog({ opened, onClose }: ByBothProps) {
  const renew = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[]>();
  return (
    <ProfileDialog
      opened={opened}
      onClose={onClose}
      onGone={() => setCodes(undefined)}
      title={codes ? 'Keep your recovery codes' : 'New recovery codes'}
      isHeld={renew.isPending || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <CodeForm
          {...fields}
          confirm="Make new codes"
          busyLabel="Making"
          isBusy={renew.isPending}
          back={{ label: 'Cancel', onClick: onClose }}
          onConfirm={(values, onError) =>
            renew.mutate(values, { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes), onError })
          }
        >
          <p className={form.words}>
            You get {recoveryCodeRules.count} new codes, and the ones before no longer work. All other devices are
            signed out, and withdrawals wait <b>{withdrawalRules.waitHours} hours</b>.
          </p>
        </CodeForm>
      )}
    </ProfileDialog>
  );
}

/** Off again: the password alone opens the account. */
export function TurnOffDialog({ opened, onClose }: ByBothProps) {
  const disable = useDisableTotp();
  return (
    <ProfileDialog opened={opened} onClose={onClose} title="Turn off the second factor?" isHeld={disable.isPending}>
      <CodeForm
        {...fields}
        confirm="Turn off"
        busyLabel="Turning off"
        isBusy={disable.isPending}
        back={{ label: 'Cancel', onClick: onClose }}
        onConfirm={(values, onError) =>
          disable.mutate(values, {
            onSuccess: () => {
              toast.success('Second factor is off', 'All other devices were signed out.');
              onClose();
            },
            onError,
          })
        }
      >
        <p className={form.words}>
          Whoever knows your password can then sign in, and your recovery codes no longer work. All other devices are
          signed out, and withdrawals wait <b>{withdrawalRules.waitHours} hours</b>.
        </p>
      </CodeForm>
    </ProfileDialog>
  );
}
