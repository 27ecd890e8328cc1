import type { Passkey } from '#contract/accounts/passkeys.ts';
import { passkeyRules, withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { Dialog, useLast } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { OneFieldForm } from './one-field-form.tsx';
import { PasswordAndFactorDialog } from './password-and-factor-form.tsx';
import { useAddPasskey, useRemovePasskey, useRenamePasskey, useStartPasskey } from './queries.ts';
import { AddFactorDialog } from './second-factor-dialogs.tsx';

/** Adds a passkey: its name and the browser's own dialog, in which a member can cancel and retry. */
export function AddPasskeyDialog(props: { opened: boolean; onClose: () => void }) {
  const start = useStartPasskey();
  const add = useAddPasskey();
  return (
    <AddFactorDialog
      {...props}
      adds="passkey"
      title={t`Add passkey`}
      start={start}
      isAdding={add.isPending}
      added={t`Passkey added`}
      words={
        <>
          <Paragraph>{t`A passkey signs you in without a password or code, and confirms changes and withdrawals. It stays on this device, or in the account that syncs it.`}</Paragraph>
          <Paragraph
            text={t`Adding it signs out all other devices and pauses withdrawals for <b>${withdrawalRules.waitHours} hours</b>.`}
          />
        </>
      }
    >
      {(creation, finish, close) => (
        <NameForm
          first={t`My device`}
          confirm={t`Create passkey`}
          busyLabel={t`Waiting`}
          isBusy={add.isPending}
          onCancel={close}
          onConfirm={(name, onError) =>
            add.mutate({ name, creation }, { onSuccess: ({ recovery_codes }) => finish(recovery_codes), onError })
          }
          before={
            <Paragraph>{t`Name the passkey so that you recognise it, then confirm with your finger, your face or the PIN of your device.`}</Paragraph>
          }
        />
      )}
    </AddFactorDialog>
  );
}

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) {
  const rename = useRenamePasskey();
  const last = useLast(passkey);
  return (
    <Dialog
      isSheet
      opened={passkey !== undefined}
      onClose={onClose}
      title={t`Rename passkey`}
      isHeld={rename.isPending}
    >
      <NameForm
        first={last?.name ?? ''}
        confirm={t`Rename passkey`}
        busyLabel={t`Saving`}
        isBusy={rename.isPending}
        onCancel={onClose}
        onConfirm={(name, onError) => {
          if (passkey) rename.mutate({ id: passkey.id, name }, { onSuccess: onClose, onError });
        }}
      />
    </Dialog>
  );
}

type RemoveProps = { passkey: Passkey | undefined; isLast: boolean; onClose: () => void };

export function RemovePasskeyDialog({ passkey, isLast, onClose }: RemoveProps) {
  const remove = useRemovePasskey();
  const last = useLast(passkey);
  return (
    <PasswordAndFactorDialog
      opened={passkey !== undefined}
      title={t`Remove this passkey?`}
      confirm={t`Remove passkey`}
      danger
      busyLabel={t`Removing`}
      isBusy={remove.isPending}
      onBack={onClose}
      onConfirm={(body, onError) => {
        if (passkey === undefined) return;
        const onSuccess = () => {
          toast.success(t`Passkey removed`, t`All other devices were signed out.`);
          onClose();
        };
        remove.mutate({ id: passkey.id, body }, { onSuccess, onError });
      }}
    >
      <Paragraph>
        <Trans text={t`<b/> will no longer sign you in.`} b={<b>{last?.name}</b>} />{' '}
        {isLast &&
          t`Without an authenticator app, two-factor authentication is then off and your recovery codes stop working.`}
      </Paragraph>
      <Paragraph
        text={t`All other devices are signed out and withdrawals are paused for <b>${withdrawalRules.waitHours} hours</b>.`}
      />
    </PasswordAndFactorDialog>
  );
}

type NameFormProps = Omit<Parameters<typeof OneFieldForm>[0], 'field' | 'check' | 'onSend'> & {
  onConfirm: (name: string, onError: (error: Error) => void) => void;
};

const NameForm = ({ onConfirm, ...form }: NameFormProps) => (
  <OneFieldForm
    {...form}
    field={{ label: t`Name`, maxLength: passkeyRules.nameLength }}
    check={(name) => (name.trim() === '' ? t`Enter a name.` : null)}
    onSend={(name, refuse) =>
      // Also what the device refused: the toast is gone after three seconds.
      onConfirm(name, (error) => refuse((error instanceof CallError && error.fields.name) || error.message))
    }
  />
);
