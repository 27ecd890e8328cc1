import { type MantineColorScheme, Text, useMantineColorScheme } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMember } from '../../api/sign-in-state.ts';
import { isWholeMember } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { DevicesPanel } from '../../entities/member/devices-panel.tsx';
import { Invitation } from '../../entities/member/invitation.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { LinkList } from '../../ui/layout/link-list.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { Trans } from '../../ui/text/trans.tsx';
import { AccountPanel } from './account-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { OwnPasskeys } from './passkeys-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { meQuery, sessionsQuery, useEndOtherSessions, useEndSession, useSignOut } from './queries.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { OpeningsPanel } from './support-access-panel.tsx';

const reading = [
  { to: paths.terms, label: t`Terms` },
  { to: paths.privacy, label: t`Privacy` },
  { to: paths.risk, label: t`Risk` },
  { to: paths.fees, label: t`Fees` },
];

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
  // What was stored at sign-in is shown until the server answers, and when it does not.
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
      {me.data?.frozen && (
        <Banner tone="loss" icon={<IconAlertTriangle size={20} stroke={1.5} />} title={t`Your account is frozen`}>
          <Trans
            text={t`You can sign in and view your account. Open trades settle as usual. You cannot place trades, deposit or withdraw. Write to <support/> for details.`}
            support={<SupportLink />}
          />
        </Banner>
      )}
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
            <LinkList links={reading} />
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

const schemes: readonly { value: MantineColorScheme; label: string }[] = [
  { value: 'dark', label: t`Dark` },
  { value: 'light', label: t`Light` },
  { value: 'auto', label: t`System` },
];

function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title={t`Theme`}>
      <Segments label={t`Theme`} options={schemes} value={colorScheme} onChange={setColorScheme} />
      <Text size="xs" c="dimmed" mt={10}>{t`Saved in this browser. System follows your device setting.`}</Text>
    </Panel>
  );
}
