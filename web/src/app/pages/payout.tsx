import { PayoutPage } from '../../features/income/payout-page.tsx';
import { useNegativeMembers } from '../../features/portfolio/queries.ts';

export const PayoutWithNote = () => <PayoutPage note={useNegativeMembers()} />;
