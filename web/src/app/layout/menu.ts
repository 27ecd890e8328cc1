import {
  type Icon,
  IconArrowsSort,
  IconDownload,
  IconHistory,
  IconLayoutDashboard,
  IconRepeat,
  IconRotateClockwise,
  IconUser,
} from '@tabler/icons-react';
import { paths } from '../../shared/paths.ts';

export type MenuEntry = {
  label: string;
  to: string;
  icon: Icon;
  /** Only in the tablet drawer (specification.md, point 2). */
  drawerOnly?: true;
};

/** Entries under one name; those without a name stand alone. */
export type MenuGroup = { name?: string; entries: readonly MenuEntry[] };

/**
 * The sidebar, group by group in the order of specification.md, point 2. An entry is added together with its page, so
 * that no entry leads nowhere.
 */
export const menu: readonly MenuGroup[] = [
  {
    entries: [
      { label: 'Dashboard', to: paths.dashboard, icon: IconLayoutDashboard },
      { label: 'Profile', to: paths.profile, icon: IconUser },
    ],
  },
  {
    name: 'Fund Management',
    entries: [
      { label: 'Deposit', to: paths.deposit, icon: IconDownload },
      { label: 'Investment', to: paths.plans, icon: IconRepeat },
      { label: 'Deposit History', to: paths.depositHistory, icon: IconRotateClockwise },
      { label: 'Transaction History', to: paths.transactionHistory, icon: IconArrowsSort },
      {
        label: 'Compounding Investment History',
        to: paths.compoundingHistory,
        icon: IconHistory,
        drawerOnly: true,
      },
    ],
  },
];

/** Pages open to everybody, named in the foot. */
export const legalLinks = [
  { label: 'Terms', to: paths.terms },
  { label: 'Privacy', to: paths.privacy },
  { label: 'Risk', to: paths.risk },
  { label: 'Fees', to: paths.fees },
] as const;
