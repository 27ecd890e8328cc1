import { ProfilePage } from '../../features/profile/profile-page.tsx';
import { AddressPanel } from '../../features/withdrawals/address-panel.tsx';

export const ProfileWithAddress = () => <ProfilePage payoutAddress={<AddressPanel />} />;
