import { t } from '../../api/texts.ts';
import { PageTabs } from '../../ui/layout/page-tabs.tsx';
import { paths } from '../../ui/paths.ts';

const pages = [
  { to: paths.referralTeam, label: t`Referral Team` },
  { to: paths.levelTeam, label: t`Level Team` },
  { to: paths.teamAnalysis, label: t`Team Analysis` },
];

export const TeamTabs = () => <PageTabs label={t`Team`} pages={pages} />;
