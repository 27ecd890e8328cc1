import { PayoutPage } from '../../features/payout/payout-page.tsx';
import { useNegativeMembers } from '../../features/portfolio/use-negative-members.ts';

export const PayoutWithNote = () => <PayoutPage note={useNegativeMembers()} />;
