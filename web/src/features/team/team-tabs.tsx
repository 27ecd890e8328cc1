import { PageTabs } from '../../ui/frame/page-tabs.tsx';
import { paths } from '../../ui/paths.ts';

const pages = [
  { to: paths.referralTeam, label: 'Referral Team' },
  { to: paths.levelTeam, label: 'Level Team' },
  { to: paths.teamAnalysis, label: 'Team Analysis' },
];

export const TeamTabs = () => <PageTabs label="Team" pages={pages} />;
