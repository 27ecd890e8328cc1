import {
  type Icon,
  IconAdjustments,
  IconBook2,
  IconBuildingBank,
  IconChartCandle,
  IconChartPie,
  IconDownload,
  IconLayoutDashboard,
  IconMail,
  IconMessage,
  IconPencil,
  IconSettings,
  IconShieldCheck,
  IconSpeakerphone,
  IconUpload,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { OperatorRole } from '#contract/endpoint.ts';
import { appInfo } from '../../api/app-info.ts';
import { answerers, everyRole } from './roles.ts';
import type { QueueName } from './shell/queries.ts';

export type ConsolePage = {
  /** Below `/operator/`. The page itself reads what follows: `withdrawals/17`. */
  readonly path: string;
  readonly label: string;
  readonly icon: Icon;
  /** Entries under one name; those without a group stand first. */
  readonly group?: 'Money' | 'Trading' | 'Service' | 'System';
  /** Who has calls on it. */
  readonly roles: readonly OperatorRole[];
  readonly queue?: QueueName;
  /** Reached from elsewhere, and not in the menu. */
  readonly isHidden?: true;
  /** Left out where it has nothing to show; without it the page is always there. */
  readonly isThere?: () => boolean;
  readonly load: () => Promise<ComponentType>;
};

/** In the order of the menu. A page is added here when it is whole. */
const allPages: readonly ConsolePage[] = [
  {
    path: 'overview',
    label: 'Overview',
    icon: IconLayoutDashboard,
    roles: everyRole,
    load: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  },
  {
    path: 'members',
    label: 'Members',
    icon: IconUsers,
    roles: everyRole,
    load: async () => (await import('./members/members-page.tsx')).MembersPage,
  },
  {
    path: 'deposits',
    label: 'Deposits in review',
    icon: IconDownload,
    group: 'Money',
    roles: everyRole,
    queue: 'deposits',
    load: async () => (await import('./deposits/deposits-page.tsx')).DepositsPage,
  },
  {
    path: 'withdrawals',
    label: 'Withdrawals',
    icon: IconUpload,
    group: 'Money',
    roles: everyRole,
    queue: 'withdrawals',
    load: async () => (await import('./withdrawals/withdrawals-page.tsx')).WithdrawalsPage,
  },
  {
    path: 'ledger',
    label: 'Ledger explorer',
    icon: IconBook2,
    group: 'Money',
    roles: everyRole,
    load: async () => (await import('./ledger/ledger-page.tsx')).LedgerPage,
  },
  {
    path: 'adjustments',
    label: 'Adjustments',
    icon: IconAdjustments,
    group: 'Money',
    roles: everyRole,
    queue: 'adjustments',
    load: async () => (await import('./adjustments/adjustments-page.tsx')).AdjustmentsPage,
  },
  {
    path: 'treasury',
    label: 'Treasury',
    icon: IconBuildingBank,
    group: 'Money',
    roles: everyRole,
    queue: 'treasury',
    load: async () => (await import('./treasury/treasury-page.tsx')).TreasuryPage,
  },
  {
    path: 'sessions',
    label: 'Sessions',
    icon: IconChartCandle,
    group: 'Trading',
    roles: everyRole,
    load: async () => (await import('./sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    path: 'assets',
    label: 'Assets',
    icon: IconChartPie,
    group: 'Trading',
    roles: everyRole,
    load: async () => (await import('./assets/assets-page.tsx')).AssetsPage,
  },
  {
    path: 'fee-plans',
    label: 'Plan editor',
    icon: IconPencil,
    group: 'Trading',
    roles: everyRole,
    queue: 'fee_plans',
    load: async () => (await import('./fee-plans/fee-plans-page.tsx')).FeePlansPage,
  },
  {
    path: 'tickets',
    label: 'Tickets',
    icon: IconMessage,
    group: 'Service',
    roles: answerers,
    queue: 'tickets',
    load: async () => (await import('./tickets/tickets-page.tsx')).TicketsPage,
  },
  {
    path: 'announcements',
    label: 'Announcements',
    icon: IconSpeakerphone,
    group: 'Service',
    roles: answerers,
    load: async () => (await import('./announcements/announcements-page.tsx')).AnnouncementsPage,
  },
  {
    path: 'audit',
    label: 'Audit log',
    icon: IconShieldCheck,
    group: 'Service',
    roles: everyRole,
    load: async () => (await import('./audit/audit-page.tsx')).AuditPage,
  },
  {
    path: 'operators',
    label: 'Operators',
    icon: IconUsersGroup,
    group: 'System',
    roles: ['admin'],
    load: async () => (await import('./operators/operators-page.tsx')).OperatorsPage,
  },
  {
    path: 'jobs',
    label: 'Jobs',
    icon: IconSettings,
    group: 'System',
    roles: everyRole,
    load: async () => (await import('./jobs/jobs-page.tsx')).JobsPage,
  },
  {
    path: 'account',
    label: 'Your account',
    icon: IconUser,
    roles: everyRole,
    isHidden: true,
    load: async () => (await import('./account/account-page.tsx')).AccountPage,
  },
  {
    path: 'outbox',
    label: 'Outbox',
    icon: IconMail,
    group: 'System',
    roles: ['admin'],
    isThere: () => appInfo.mode === 'paper',
    load: async () => (await import('./outbox/outbox-page.tsx')).OutboxPage,
  },
];

/** Every page of the console. */
export const consolePages = allPages.filter(({ isThere }) => isThere?.() ?? true);
