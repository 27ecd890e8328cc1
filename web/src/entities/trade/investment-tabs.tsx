import { t } from '../../api/texts.ts';
import { PageTabs } from '../../ui/layout/page-tabs.tsx';
import { paths } from '../../ui/paths.ts';

const pages = [
  { to: paths.plans, label: t`Plans` },
  { to: paths.compoundingHistory, label: t`Compounding history` },
  { to: paths.backtest, label: t`Backtest` },
];

/** The investment pages: the sidebar lists only the first of them. */
export const InvestmentTabs = () => <PageTabs label={t`Investment`} pages={pages} />;
