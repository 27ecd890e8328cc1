import { BacktestPage } from '../../features/backtest/backtest-page.tsx';
import { useNegativeMembers } from '../../features/portfolio/queries.ts';

export const BacktestWithNote = () => <BacktestPage note={useNegativeMembers()} />;
