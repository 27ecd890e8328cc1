import { paths } from '../../shared/paths.ts';
import { PageTabs } from '../../shared/ui/page-tabs.tsx';

const pages = [
  { to: paths.referralTeam, label: 'Referral Team' },
  { to: paths.levelTeam, label: 'Level Team' },
  { to: paths.teamAnalysis, label: 'Team Analysis' },
];

export const TeamTabs = () => <PageTabs label="Team" pages={pages} />;
