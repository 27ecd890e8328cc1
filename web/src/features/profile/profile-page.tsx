import { type MantineColorScheme, Text, useMantineColorScheme } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMember } from '../../api/sign-in-state.ts';
import { isWholeMember } from '../../api/storage.ts';
import { DevicesPanel } from '../../entities/member/devices-panel.tsx';
import { Invitation } from '../../entities/member/invitation.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { Column, Columns } from '../../ui/frame/columns.tsx';
import { LinkList } from '../../ui/frame/link-list.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { paths } from '../../ui/paths.ts';
import { AccountPanel } from './account-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { meQuery, sessionsQuery, useEndOtherSessions, useEndSession, useSignOut } from './queries.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { OpeningsPanel } from './support-access-panel.tsx';

const reading = [
  { to: paths.terms, label: 'Terms' },
  { to: paths.privacy, label: 'Privacy' },
  { to: paths.risk, label: 'Risk' },
  { to: paths.fees, label: 'Fees' },
];

type ProfilePageProps = {
  /** The panel of the payout address, which belongs to another feature. */
  payoutAddress?: ReactNode;
  /** The panel of what also goes by mail, likewise. */
  mails?: ReactNode;
};

/** The member's own details, their invitation link, payout address, devices, limits, theme and how they sign in. */
export function ProfilePage({ payoutAddress, mails }: ProfilePageProps) {
  const stored = useMember();
  const me = useQuery(meQuery);
  const signOut = useSignOut();
  // What was stored at sign-in is shown until the server answers, and when it does not.
  const user = me.data?.user ?? (isWholeMember(stored) ? stored : undefined);

  return (
    <>
      <PageHead title="Profile" facts="Your details, your invitation link, your limits and how you sign in">
        <BusyButton variant="default" busy={signOut.isPending} busyLabel="Ending" onClick={() => signOut.mutate()}>
          Sign out
        </BusyButton>
      </PageHead>
      {me.data?.frozen && (
        <Banner tone="loss" icon={<IconAlertTriangle size={20} stroke={1.5} />} title="Your account is frozen">
          You can sign in and read. Open trades settle; nothing new can be placed or deposited. Write to <SupportLink />{' '}
          to ask why.
        </Banner>
      )}
      <Columns>
        <Column>
          {user && <AccountPanel user={user} sponsor={me.data?.sponsor} frozen={me.data?.frozen === true} />}
          {user && (
            <Panel title="Invitation link">
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
          {user && <EmailPanel email={user.email} frozen={me.data?.frozen === true} />}
          {user && <PasswordPanel referralCode={user.referral_code} />}
          {mails}
          {user && <DataPanel user={user} />}
          <Panel title="Good to know" padded={false}>
            <LinkList links={reading} />
          </Panel>
        </Column>
      </Columns>
    </>
  );
}

/** Where the member is signed in. */
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
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'auto', label: 'System' },
];

/** Dark, light, or as the device has it; kept in this browser. */
function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Theme">
      <Segments label="Theme" options={schemes} value={colorScheme} onChange={setColorScheme} />
      <Text size="xs" c="dimmed" mt={10}>
        Kept in this browser. System follows your device.
      </Text>
    </Panel>
  );
}
