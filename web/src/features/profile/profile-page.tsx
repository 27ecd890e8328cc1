import { Group, Input, Stack, useMantineColorScheme } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { meQuery } from '../../api/me-query.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { isWholeMember } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { checkPasswords, type Passwords } from '../../entities/member/check-passwords.ts';
import { DevicesPanel } from '../../entities/member/devices-panel.tsx';
import { Invitation } from '../../entities/member/invitation.tsx';
import { PasskeysPanel } from '../../entities/member/passkeys-panel.tsx';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { legalLinks } from '../../ui/frame/legal-links.ts';
import { themeChoices } from '../../ui/frame/theme-choices.ts';
import { toast } from '../../ui/frame/toast.ts';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { LinkList } from '../../ui/layout/link-list.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { AccountPanel } from './account-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import {
  passkeysQuery,
  sessionsQuery,
  useChangePassword,
  useEndOtherSessions,
  useEndSession,
  useSignOut,
} from './queries.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { OpeningsPanel } from './support-access-panel.tsx';

type ProfilePageProps = {
  /** The panel of the payout address, which belongs to another feature. */
  payoutAddress?: ReactNode;
  /** The panel of email notifications, likewise. */
  emails?: ReactNode;
};

export function ProfilePage({ payoutAddress, emails }: ProfilePageProps) {
  const stored = useMember();
  const me = useQuery(meQuery);
  const signOut = useSignOut();
  // The stored member is shown until the server responds, and when it does not.
  const user = me.data?.user ?? (isWholeMember(stored) ? stored : undefined);

  return (
    <>
      <PageHead title={t`Profile`} facts={t`Account, security, limits and data`}>
        <BusyButton
          variant="default"
          busy={signOut.isPending}
          busyLabel={t`Signing out`}
          onClick={() => signOut.mutate()}
        >{t`Sign out`}</BusyButton>
      </PageHead>
      <Columns>
        <Column>
          {user && <AccountPanel user={user} sponsor={me.data?.sponsor} frozen={me.data?.frozen === true} />}
          {user && (
            <Panel title={t`Invitation link`}>
              <Invitation referralCode={user.referral_code} />
            </Panel>
          )}
          {payoutAddress}
          <OwnDevicesPanel />
          <OpeningsPanel />
          <LimitsPanel limits={me.data?.limits} />
          <ThemePanel />
        </Column>
        <Column pairs>
          <SecondFactorPanel />
          <OwnPasskeys />
          {user && <EmailPanel email={user.email} frozen={me.data?.frozen === true} />}
          {user && <PasswordPanel referralCode={user.referral_code} />}
          {emails}
          {user && <DataPanel user={user} />}
          <Panel title={t`Legal`} padded={false}>
            <LinkList links={legalLinks} />
          </Panel>
        </Column>
      </Columns>
    </>
  );
}

export function OwnDevicesPanel() {
  const sessions = useQuery(sessionsQuery);
  return (
    <DevicesPanel
      sessions={sessions.data}
      unknown={<NotLoaded query={sessions} />}
      endOne={useEndSession()}
      endOthers={useEndOtherSessions()}
    />
  );
}

function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title={t`Theme`}>
      <Segments label={t`Theme`} options={themeChoices} value={colorScheme} onChange={setColorScheme} />
      <Note mt={10}>{t`Saved in this browser. System follows your device setting.`}</Note>
    </Panel>
  );
}

type PasskeyAction = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** docs/product.md, section 8, "Passkeys". */
export function OwnPasskeys() {
  const passkeys = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<PasskeyAction>();
  const close = () => setAsked(undefined);
  return (
    <PasskeysPanel
      passkeys={passkeys.data}
      unknown={<NotLoaded query={passkeys} />}
      empty={t`No passkeys yet. Sign in with your finger, your face or the PIN of your device, without a password or code.`}
      onAdd={() => setAsked({ what: 'add' })}
      onRename={(passkey) => setAsked({ what: 'rename', passkey })}
      onRemove={(passkey) => setAsked({ what: 'remove', passkey })}
    >
      <AddPasskeyDialog opened={asked?.what === 'add'} onClose={close} />
      <RenamePasskeyDialog passkey={asked?.what === 'rename' ? asked.passkey : undefined} onClose={close} />
      <RemovePasskeyDialog
        passkey={asked?.what === 'remove' ? asked.passkey : undefined}
        isLast={passkeys.data?.length === 1}
        onClose={close}
      />
    </PasskeysPanel>
  );
}

export function PasswordPanel({ referralCode }: { referralCode: string }) {
  const change = useChangePassword();
  const factor = useSecondFactor();
  const { form: element, focusFirstError } = useFirstError();
  const form = useForm({ initialValues: { current_password: '', password: '' }, validate: checkPasswords });
  /** A reply was lost: the next try may find the password already changed. */
  const [isUnsure, setUnsure] = useState(false);

  const show = (errors: Partial<Passwords>) => {
    form.setErrors(errors);
    focusFirstError();
  };

  const submit = form.onSubmit((values) => {
    if (!factor.check()) return;
    const body = { ...values, ...factor.body() };
    change.mutate(body, {
      onSuccess: () => {
        form.reset();
        factor.reset();
        setUnsure(false);
        toast.success(t`Password changed`, t`All other devices were signed out.`);
      },
      onError: (error) => {
        if (!(error instanceof CallError)) return;
        if (error.status === 0 || error.status >= 500) setUnsure(true);
        const { current_password, password } = error.fields;
        show({ ...(current_password && { current_password }), ...(password && { password }) });
        factor.fail(error);
      },
    });
  }, show);

  return (
    <Panel title={t`Password`}>
      <form ref={element} onSubmit={submit} noValidate>
        <Stack>
          {/* Password managers store the new password under the name they find here. */}
          <input type="text" autoComplete="username" value={referralCode} readOnly hidden />
          <PasswordField
            label={t`Current password`}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordField
            label={t`New password`}
            description={t`At least ${passwordMinLength} characters. All other devices are signed out.`}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <SecondFactorField factor={factor} isBusy={change.isPending} />
          {isUnsure ? (
            <Input.Error>{t`No reply. Try again: if your current password is then wrong, the new one is already valid.`}</Input.Error>
          ) : (
            <Refusal error={change.error} />
          )}
          <Group>
            <BusyButton type="submit" busy={change.isPending} busyLabel={t`Changing`}>{t`Change password`}</BusyButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
