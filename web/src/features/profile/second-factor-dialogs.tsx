import { Anchor, Box, Button, Checkbox, Group, Paper } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { recoveryCodeRules, withdrawalRules } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { saveFile } from '../../api/csv.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { CopyIcon, CopyText } from '../../ui/forms/copy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import form from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { QrCode } from '../../ui/text/qr-code.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { Words } from '../../ui/text/words.tsx';
import { useConfirmTotp, useDisableTotp, useRenewRecoveryCodes, useStartTotp } from './queries.ts';

type StepProps = { opened: boolean; onClose: () => void };

/**
 * Turns the second factor on: the password, the key for the app with a first code of it, and the recovery codes. The key
 * lives in this dialog alone; closed before the first code, nothing is turned on, and the next start makes another.
 */
export function SetUpDialog({ opened, onClose }: StepProps) {
  const start = useStartTotp();
  const confirm = useConfirmTotp();
  const [key, setKey] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<string[]>();

  return (
    <Dialog
      isSheet
      withCloseButton={false}
      opened={opened}
      onClose={onClose}
      // Out of sight: forgotten without the words changing under the reader's eyes.
      onExitTransitionEnd={() => {
        setKey(undefined);
        setCodes(undefined);
      }}
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
          <Words>
            Signing in will then take your password and a code of an authenticator app on your phone. Any of these apps
            will do; all show a new code every 30 seconds.
          </Words>
          <Words>
            When it is on, all other devices are signed out, and withdrawals wait{' '}
            <b>{withdrawalRules.waitHours} hours</b>.
          </Words>
        </CodeForm>
      )}
    </Dialog>
  );
}

/** For a camera, to be typed, or for an app on this very device. */
function AppKey({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <Group gap={20} __vars={{ '--qr-size': '176px' }}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <Box flex="1 1 160px" miw={0}>
          <Words mb="xs">Scan it with your authenticator app.</Words>
          <Words>
            Is the app on this device? <Anchor href={uri}>Open it there</Anchor>.
          </Words>
        </Box>
      </Group>
      <TextBox label="Or type this key into the app" copy={<CopyIcon value={secret} what="key" />}>
        <GroupedText>{secret}</GroupedText>
      </TextBox>
    </>
  );
}

/** Both take the app and the password: neither an open browser nor a lost phone is enough. */
const byBoth = {
  layout: 'dialog',
  asks: ['otp', 'password'],
  codeLabel: 'Code of your authenticator app',
} as const;

/** Ten new recovery codes, shown once. */
export function RenewCodesDialog({ opened, onClose }: StepProps) {
  const renew = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Dialog
      isSheet
      withCloseButton={false}
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCodes(undefined)}
      title={codes ? 'Keep your recovery codes' : 'New recovery codes'}
      isHeld={renew.isPending || codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <CodeForm
          {...byBoth}
          confirm="Make new codes"
          busyLabel="Making"
          isBusy={renew.isPending}
          back={{ label: 'Cancel', onClick: onClose }}
          onConfirm={(values, onError) =>
            renew.mutate(values, { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes), onError })
          }
        >
          <Words>
            You get {recoveryCodeRules.count} new codes, and the ones before no longer work. All other devices are
            signed out, and withdrawals wait <b>{withdrawalRules.waitHours} hours</b>.
          </Words>
        </CodeForm>
      )}
    </Dialog>
  );
}

/** Off again: the password alone opens the account. */
export function TurnOffDialog({ opened, onClose }: StepProps) {
  const disable = useDisableTotp();
  return (
    <Dialog
      isSheet
      withCloseButton={false}
      opened={opened}
      onClose={onClose}
      title="Turn off the second factor?"
      isHeld={disable.isPending}
    >
      <CodeForm
        {...byBoth}
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
        <Words>
          Whoever knows your password can then sign in, and your recovery codes no longer work. All other devices are
          signed out, and withdrawals wait <b>{withdrawalRules.waitHours} hours</b>.
        </Words>
      </CodeForm>
    </Dialog>
  );
}

/** The ten codes, this once: the way on opens when the member says they are kept. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const { brandName } = appInfo;
  const text = `${codes.join('\n')}\n`;
  const download = () =>
    saveFile(
      `${brandName.toLowerCase()}-recovery-codes.txt`,
      new Blob([`${brandName} recovery codes. Each works once.\n\n${text}`], { type: 'text/plain;charset=utf-8' }),
    );
  return (
    <div className={form.form}>
      <Words>
        Without your phone these codes sign you in, each once. <b>They are shown only now.</b> Keep them where nobody
        else finds them, and not on the same phone.
      </Words>
      <Paper
        component="ul"
        aria-label="Recovery codes"
        px="md"
        py={14}
        bg="var(--tw-bg)"
        fw={500}
        lh="30px"
        style={{ columns: '2 168px' }}
      >
        {codes.map((code) => (
          <li key={code}>
            <CodeText>{code}</CodeText>
          </li>
        ))}
      </Paper>
      <Group gap="xs">
        <CopyText value={text} done="Codes copied" data-autofocus />
        <Button variant="default" onClick={download} leftSection={<IconDownload size={16} stroke={1.5} />}>
          Download
        </Button>
      </Group>
      <Checkbox label="I kept them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <div className={form.actions}>
        <Button disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
