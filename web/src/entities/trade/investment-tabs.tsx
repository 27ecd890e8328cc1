import { t } from '../../api/texts.ts';
import { PageTabs } from '../../ui/layout/page-tabs.tsx';
import { paths } from '../../ui/paths.ts';

const pages = [
  { to: paths.plans, label: t`Plans` },
  { to: paths.compoundingHistory, label: t`Compounding history` },
  { to: paths.backtest, label: t`Backtest` },
];

/** The pages that belong to investing: only the first of them is in the sidebar. */
export const InvestmentTabs = () => <PageTabs label={t`Investment`} pages={pages} />;
