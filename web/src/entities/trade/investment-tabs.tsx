import { PageTabs } from '../../ui/frame/page-tabs.tsx';
import { paths } from '../../ui/paths.ts';

const pages = [
  { to: paths.plans, label: 'Plans' },
  { to: paths.compoundingHistory, label: 'Compounding history' },
  { to: paths.backtest, label: 'Backtest' },
];

/** The pages that belong to investing: only the first of them is in the sidebar. */
export const InvestmentTabs = () => <PageTabs label="Investment" pages={pages} />;
