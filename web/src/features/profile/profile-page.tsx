import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMember } from '../../api/sign-in-state.ts';
import { isWholeMember } from '../../api/storage.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { paths } from '../../ui/paths.ts';
import { AccountPanel } from './account-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { OwnDevicesPanel } from './devices-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { InvitationPanel } from './invitation-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import classes from './profile-page.module.css';
import { meQuery, useSignOut } from './queries.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { OpeningsPanel } from './support-access-panel.tsx';
import { ThemePanel } from './theme-panel.tsx';

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
      <div className={classes.columns}>
        <div className={classes.column}>
          {user && <AccountPanel user={user} sponsor={me.data?.sponsor} frozen={me.data?.frozen === true} />}
          {user && <InvitationPanel referralCode={user.referral_code} />}
          {payoutAddress}
          <OwnDevicesPanel />
          <OpeningsPanel />
          <LimitsPanel limits={me.data?.limits} />
          <ThemePanel />
        </div>
        <div className={`${classes.column} ${classes.pair}`}>
          <SecondFactorPanel />
          {user && <EmailPanel email={user.email} frozen={me.data?.frozen === true} />}
          {user && <PasswordPanel referralCode={user.referral_code} />}
          {mails}
          {user && <DataPanel user={user} />}
          <Panel title="Good to know" padded={false}>
            <ul className={classes.reading}>
              {reading.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to}>
                    <span>{label}</span>
                    <IconChevronRight size={16} stroke={1.5} aria-hidden />
                  </Link>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </>
  );
}
