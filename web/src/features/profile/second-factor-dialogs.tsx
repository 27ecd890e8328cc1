import { Anchor, Box, Button, Checkbox, Group, Paper } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { recoveryCodeRules, withdrawalRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { saveFile } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { CopyIcon, CopyText } from '../../ui/forms/copy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { QrCode } from '../../ui/text/qr-code.tsx';
import { CodeText, Trans } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { type FactorStart, FactorStartForm, useFirstFactorCode } from './factor-start-form.tsx';
import { PasswordAndFactorDialog, PasswordAndFactorForm } from './password-and-factor-form.tsx';
import { useConfirmTotp, useDisableTotp, useRenewRecoveryCodes, useStartTotp } from './queries.ts';

type StepProps = { opened: boolean; onClose: () => void };

type AddFactorDialogProps<Begun> = StepProps & {
  adds: 'app' | 'passkey';
  title: string;
  start: {
    isPending: boolean;
    mutate: (
      body: FactorStart,
      options: { onSuccess: (begun: Begun) => void; onError: (error: Error) => void },
    ) => void;
  };
  isAdding: boolean;
  /** The toast once it is added. */
  added: string;
  /** What is added, and its consequences. */
  words: ReactNode;
  /** The last step. `finish` takes the recovery codes to save, if any. */
  children: (begun: Begun, finish: (codes: string[] | null) => void, close: () => void) => ReactNode;
};

/**
 * Adds a second factor: password and an emailed code or a factor there is; the last step; recovery codes. What was begun
 * exists only in this dialog, so that the last step can be retried without a new code.
 */
export function AddFactorDialog<Begun extends object>(props: AddFactorDialogProps<Begun>) {
  const { opened, onClose, adds, title, start, isAdding, added, words, children } = props;
  const code = useFirstFactorCode(adds);
  const [begun, setBegun] = useState<Begun>();
  const [codes, setCodes] = useState<string[]>();
  const close = () => {
    code.leave();
    onClose();
  };
  const finish = (issued: string[] | null) => {
    if (issued !== null) return setCodes(issued);
    toast.success(added, t`All other devices were signed out.`);
    close();
  };
  return (
    <Dialog
      isSheet
      opened={opened || code.isReopened}
      onClose={close}
      // Cleared only once the dialog is invisible, so that its text does not change while it fades.
      onExitTransitionEnd={() => {
        setBegun(undefined);
        setCodes(undefined);
      }}
      title={codes ? t`Save your recovery codes` : title}
      isHeld={start.isPending || isAdding || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => finish(null)} />
      ) : begun ? (
        children(begun, finish, close)
      ) : (
        <FactorStartForm
          code={code}
          isBusy={start.isPending}
          onCancel={close}
          onConfirm={(body, onError) =>
            start.mutate(body, {
              onSuccess: (begun) => {
                code.use();
                setBegun(begun);
              },
              onError,
            })
          }
        >
          {words}
        </FactorStartForm>
      )}
    </Dialog>
  );
}

/**
 * Sets up an authenticator app. If the dialog is closed before the first code, nothing is turned on, and the next
 * attempt gets a new key.
 */
export function SetUpDialog({ hasPasskey, ...props }: StepProps & { hasPasskey: boolean }) {
  const start = useStartTotp();
  const confirm = useConfirmTotp();
  return (
    <AddFactorDialog
      {...props}
      adds="app"
      title={hasPasskey ? t`Add authenticator app` : t`Set up two-factor authentication`}
      start={start}
      isAdding={confirm.isPending}
      added={hasPasskey ? t`Authenticator app added` : t`Two-factor authentication is on`}
      words={
        <>
          <Paragraph>
            {hasPasskey
              ? t`After your password you can then enter a code from an authenticator app on your phone instead of using a passkey. Any authenticator app works.`
              : t`After setup, you sign in with your password and a code from an authenticator app on your phone. Any authenticator app works.`}
          </Paragraph>
          <Paragraph
            text={
              hasPasskey
                ? t`Adding it signs out all other devices and pauses withdrawals for <b>${withdrawalRules.waitHours} hours</b>.`
                : t`Turning it on signs out all other devices and pauses withdrawals for <b>${withdrawalRules.waitHours} hours</b>.`
            }
          />
        </>
      }
    >
      {(key, finish, close) => (
        <CodeForm
          key="code"
          layout="dialog"
          asks={['otp']}
          codeLabel={t`Code shown in your app`}
          confirm={hasPasskey ? t`Add app` : t`Turn on`}
          busyLabel={hasPasskey ? t`Adding` : t`Turning on`}
          isBusy={confirm.isPending}
          back={{ label: t`Cancel`, onClick: close }}
          onConfirm={({ otp }, onError) =>
            confirm.mutate(otp, { onSuccess: ({ recovery_codes }) => finish(recovery_codes), onError })
          }
        >
          <AppKey {...key} />
        </CodeForm>
      )}
    </AddFactorDialog>
  );
}

function AppKey({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <Group gap={20} __vars={{ '--qr-size': '176px' }}>
        <QrCode text={uri} label={t`QR code for your authenticator app`} />
        <Box flex="1 1 160px" miw={0}>
          <Paragraph mb="xs">{t`Scan this code with your authenticator app.`}</Paragraph>
          <Paragraph>
            <Trans
              text={t`Is the app on this device? <anchor>Open the app</anchor>.`}
              anchor={(inner) => <Anchor href={uri}>{inner}</Anchor>}
            />
          </Paragraph>
        </Box>
      </Group>
      <TextBox label={t`Or enter this key in the app`} copy={<CopyIcon value={secret} what={t`key`} />}>
        <GroupedText>{secret}</GroupedText>
      </TextBox>
    </>
  );
}

export function RenewCodesDialog({ opened, onClose }: StepProps) {
  const renew = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Dialog
      isSheet
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCodes(undefined)}
      title={codes ? t`Save your recovery codes` : t`Create recovery codes`}
      isHeld={renew.isPending || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordAndFactorForm
          confirm={t`Create codes`}
          busyLabel={t`Creating`}
          isBusy={renew.isPending}
          onBack={onClose}
          onConfirm={(body, onError) =>
            renew.mutate(body, { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes), onError })
          }
        >
          <Paragraph
            text={t`You get ${recoveryCodeRules.count} new codes and the old ones stop working. All other devices are signed out and withdrawals are paused for <b>${withdrawalRules.waitHours} hours</b>.`}
          />
        </PasswordAndFactorForm>
      )}
    </Dialog>
  );
}

/** Removes the app; with a passkey, two-factor authentication and the recovery codes stay. */
export function TurnOffDialog({ opened, onClose, hasPasskey }: StepProps & { hasPasskey: boolean }) {
  const disable = useDisableTotp();
  return (
    <PasswordAndFactorDialog
      opened={opened}
      title={hasPasskey ? t`Remove the authenticator app?` : t`Turn off two-factor authentication?`}
      confirm={hasPasskey ? t`Remove app` : t`Turn off`}
      danger
      busyLabel={hasPasskey ? t`Removing` : t`Turning off`}
      isBusy={disable.isPending}
      onBack={onClose}
      onConfirm={(body, onError) =>
        disable.mutate(body, {
          onSuccess: () => {
            toast.success(
              hasPasskey ? t`Authenticator app removed` : t`Two-factor authentication is off`,
              t`All other devices were signed out.`,
            );
            onClose();
          },
          onError,
        })
      }
    >
      <Paragraph
        text={
          hasPasskey
            ? t`You then sign in with a passkey, alone or after your password. Your recovery codes keep working. All other devices are signed out and withdrawals are paused for <b>${withdrawalRules.waitHours} hours</b>.`
            : t`Anyone who knows your password can then sign in. Your recovery codes stop working, all other devices are signed out and withdrawals are paused for <b>${withdrawalRules.waitHours} hours</b>.`
        }
      />
    </PasswordAndFactorDialog>
  );
}

/** The codes are shown only here, so the dialog closes only after the member confirms that they are saved. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const { brandName } = appInfo;
  const text = `${codes.join('\n')}\n`;
  const download = () =>
    saveFile(
      `${brandName.toLowerCase()}-recovery-codes.txt`,
      new Blob([t`${brandName} recovery codes. Each works once.\n\n${text}`], { type: 'text/plain;charset=utf-8' }),
    );
  return (
    <div className={form.form}>
      <Paragraph
        text={t`Use a recovery code to sign in without your phone. Each code works once. <b>You will not see these codes again.</b> Store them in a safe place other than this phone.`}
      />
      <Paper
        component="ul"
        aria-label={t`Recovery codes`}
        px="md"
        py={14}
        bg="var(--tw-bg)"
        fw={500}
        lh="1.875rem"
        style={{ columns: '2 168px' }}
      >
        {codes.map((code) => (
          <li key={code}>
            <CodeText>{code}</CodeText>
          </li>
        ))}
      </Paper>
      <Group gap="xs">
        <CopyText value={text} done={t`Codes copied`} data-autofocus />
        <Button
          variant="default"
          onClick={download}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        >{t`Download`}</Button>
      </Group>
      <Checkbox
        label={t`I have saved my recovery codes`}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <div className={form.actions}>
        <Button disabled={!isKept} onClick={onDone}>{t`Done`}</Button>
      </div>
    </div>
  );
}
