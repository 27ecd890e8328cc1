import { MailPreferencesPanel } from '../../features/notifications/email-preferences-panel.tsx';
import { ProfilePage } from '../../features/profile/profile-page.tsx';
import { AddressPanel } from '../../features/withdrawals/address-panel.tsx';

/** The profile with the panels of other features. */
export const ProfileWithPanels = () => (
  <ProfilePage payoutAddress={<AddressPanel />} emails={<MailPreferencesPanel />} />
);
