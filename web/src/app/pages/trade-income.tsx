import { ResultPage } from '../../features/income/result-page.tsx';
import { useNegativeMembers } from '../../features/portfolio/queries.ts';

export const TradeIncomePage = () => <ResultPage kind="trade" note={useNegativeMembers()} />;
export const CompoundingIncomePage = () => <ResultPage kind="compounding" note={useNegativeMembers()} />;
