import {
  IconArrowsSort,
  IconCash,
  IconDownload,
  IconGift,
  IconHistory,
  IconLayoutDashboard,
  IconMessage,
  IconRepeat,
  IconRotateClockwise,
  IconRotateClockwise2,
  IconSitemap,
  IconStack2,
  IconTrendingUp,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react';
import { t } from '../../api/texts.ts';
import type { MenuEntry, MenuGroup } from '../../ui/frame/menu.tsx';
import { paths } from '../../ui/paths.ts';

/** Some entries are only in the tablet drawer (the specification, point 2). */
type MemberGroup = Omit<MenuGroup, 'entries'> & { entries: readonly (MenuEntry & { drawerOnly?: true })[] };

export const menuOf = (inDrawer: boolean): readonly MenuGroup[] =>
  menu.map((group) => ({ ...group, entries: group.entries.filter(({ drawerOnly }) => inDrawer || !drawerOnly) }));

/**
 * The sidebar, by group in the order of the specification, point 2. An entry is added together with its page, so that
 * none leads nowhere.
 */
const menu: readonly MemberGroup[] = [
  {
    entries: [
      { label: t`Dashboard`, to: paths.dashboard, icon: IconLayoutDashboard },
      { label: t`Profile`, to: paths.profile, icon: IconUser },
    ],
  },
  {
    name: t`Fund Management`,
    entries: [
      { label: t`Deposit`, to: paths.deposit, icon: IconDownload },
      { label: t`Investment`, to: paths.plans, icon: IconRepeat },
      { label: t`Deposit History`, to: paths.depositHistory, icon: IconRotateClockwise },
      { label: t`Withdrawal History`, to: paths.withdrawalHistory, icon: IconRotateClockwise2 },
      { label: t`Transaction History`, to: paths.transactionHistory, icon: IconArrowsSort },
      {
        label: t`Compounding Investment History`,
        to: paths.compoundingHistory,
        icon: IconHistory,
        drawerOnly: true,
      },
    ],
    tabs: [paths.withdrawal],
  },
  {
    name: t`Income`,
    entries: [
      { label: t`Referral Bonus`, to: paths.referralBonus, icon: IconGift },
      { label: t`Team Level Bonus`, to: paths.teamLevelBonus, icon: IconStack2 },
      { label: t`Compounding Income`, to: paths.compoundingIncome, icon: IconTrendingUp, drawerOnly: true },
    ],
    tabs: [
      paths.tradeIncome,
      paths.weeklyIncome,
      paths.monthlyIncome,
      paths.teamProfit,
      paths.compoundingIncome,
      paths.rewards,
    ],
  },
  {
    name: t`Team`,
    entries: [
      { label: t`Referral Team`, to: paths.referralTeam, icon: IconUserPlus },
      { label: t`Level Team`, to: paths.levelTeam, icon: IconSitemap },
    ],
    tabs: [paths.teamAnalysis],
  },
  {
    entries: [
      { label: t`Payout`, to: paths.payout, icon: IconCash },
      { label: t`Query`, to: paths.query, icon: IconMessage },
    ],
  },
];
