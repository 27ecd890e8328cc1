import {
  type Icon,
  IconAdjustments,
  IconBook2,
  IconBuildingBank,
  IconChartCandle,
  IconChartPie,
  IconCoins,
  IconDownload,
  IconFileCheck,
  IconLayoutDashboard,
  IconLockOpen,
  IconMail,
  IconMailForward,
  IconMessage,
  IconPencil,
  IconReceipt,
  IconRulerMeasure,
  IconSettings,
  IconShieldCheck,
  IconSignature,
  IconSpeakerphone,
  IconUpload,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { OperatorRole } from '#contract/endpoint.ts';
import { appInfo } from '../../api/app-info.ts';
import { everyRole, ticketRoles } from './roles.ts';
import type { QueueName } from './shell/queries.ts';

export type ConsolePage = {
  /** Below `/operator/`. The page handles the rest: `withdrawals/17`. */
  readonly path: string;
  readonly label: string;
  readonly icon: Icon;
  /** Entries without a group come first. */
  readonly group?: 'Money' | 'Trading' | 'Service' | 'System';
  /** The roles that may call it. */
  readonly roles: readonly OperatorRole[];
  readonly queue?: QueueName;
  /** Not in the menu. */
  readonly isHidden?: true;
  /** Whether it has anything to show. */
  readonly isThere?: () => boolean;
  readonly load: () => Promise<ComponentType>;
};

/** In menu order. Pages without roles are for everybody. */
const allPages: readonly (Omit<ConsolePage, 'roles'> & Partial<Pick<ConsolePage, 'roles'>>)[] = [
  {
    path: 'overview',
    label: 'Overview',
    icon: IconLayoutDashboard,
    load: async () => (await import('./overview/overview-page.tsx')).OverviewPage,
  },
  {
    path: 'members',
    label: 'Members',
    icon: IconUsers,
    load: async () => (await import('./members/members-page.tsx')).MembersPage,
  },
  {
    path: 'loosenings',
    label: 'Restrictions',
    icon: IconLockOpen,
    queue: 'loosenings',
    load: async () => (await import('./loosenings/loosenings-page.tsx')).LooseningsPage,
  },
  {
    path: 'email-changes',
    label: 'Email changes',
    icon: IconMailForward,
    queue: 'email_changes',
    load: async () => (await import('./email-changes/email-changes-page.tsx')).EmailChangesPage,
  },
  {
    path: 'deposits',
    label: 'Deposits in review',
    icon: IconDownload,
    group: 'Money',
    queue: 'deposits',
    load: async () => (await import('./deposits/deposits-page.tsx')).DepositsPage,
  },
  {
    path: 'withdrawals',
    label: 'Withdrawals',
    icon: IconUpload,
    group: 'Money',
    queue: 'withdrawals',
    load: async () => (await import('./withdrawals/withdrawals-page.tsx')).WithdrawalsPage,
  },
  {
    path: 'ledger',
    label: 'Ledger explorer',
    icon: IconBook2,
    group: 'Money',
    load: async () => (await import('./ledger/ledger-page.tsx')).LedgerPage,
  },
  {
    path: 'adjustments',
    label: 'Adjustments',
    icon: IconAdjustments,
    group: 'Money',
    queue: 'adjustments',
    load: async () => (await import('./adjustments/adjustments-page.tsx')).AdjustmentsPage,
  },
  {
    path: 'treasury',
    label: 'Treasury',
    icon: IconBuildingBank,
    group: 'Money',
    queue: 'treasury',
    load: async () => (await import('./treasury/treasury-page.tsx')).TreasuryPage,
  },
  {
    path: 'exchange-fills',
    label: 'Exchange fills',
    icon: IconCoins,
    group: 'Money',
    queue: 'venue_fills',
    load: async () => (await import('./exchange-fills/exchange-fills-page.tsx')).ExchangeFillsPage,
  },
  {
    path: 'exchange-statement',
    label: 'Exchange statement',
    icon: IconFileCheck,
    group: 'Money',
    queue: 'statement',
    load: async () => (await import('./exchange-statement/exchange-statement-page.tsx')).ExchangeStatementPage,
  },
  {
    path: 'gateway-statement',
    label: 'Gateway statement',
    icon: IconReceipt,
    group: 'Money',
    queue: 'gateway_statement',
    load: async () => (await import('./gateway-statement/gateway-statement-page.tsx')).GatewayStatementPage,
  },
  {
    path: 'reserves',
    label: 'Reserves',
    icon: IconSignature,
    group: 'Money',
    queue: 'reserves',
    load: async () => (await import('./reserves/reserves-page.tsx')).ReservesPage,
  },
  {
    path: 'sessions',
    label: 'Sessions',
    icon: IconChartCandle,
    group: 'Trading',
    load: async () => (await import('./sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    path: 'assets',
    label: 'Assets',
    icon: IconChartPie,
    group: 'Trading',
    load: async () => (await import('./assets/assets-page.tsx')).AssetsPage,
  },
  {
    path: 'asset-limits',
    label: 'Position limits',
    icon: IconRulerMeasure,
    group: 'Trading',
    queue: 'asset_limits',
    load: async () => (await import('./asset-limits/asset-limits-page.tsx')).AssetLimitsPage,
  },
  {
    path: 'fee-plans',
    label: 'Fee plan',
    icon: IconPencil,
    group: 'Trading',
    queue: 'fee_plans',
    load: async () => (await import('./fee-plans/fee-plans-page.tsx')).FeePlansPage,
  },
  {
    path: 'tickets',
    label: 'Tickets',
    icon: IconMessage,
    group: 'Service',
    roles: ticketRoles,
    queue: 'tickets',
    load: async () => (await import('./tickets/tickets-page.tsx')).TicketsPage,
  },
  {
    path: 'announcements',
    label: 'Announcements',
    icon: IconSpeakerphone,
    group: 'Service',
    roles: ticketRoles,
    queue: 'announcements',
    load: async () => (await import('./announcements/announcements-page.tsx')).AnnouncementsPage,
  },
  {
    path: 'audit',
    label: 'Audit log',
    icon: IconShieldCheck,
    group: 'Service',
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
    load: async () => (await import('./jobs/jobs-page.tsx')).JobsPage,
  },
  {
    path: 'account',
    label: 'Your account',
    icon: IconUser,
    isHidden: true,
    load: async () => (await import('./account/account-page.tsx')).AccountPage,
  },
  {
    path: 'outbox',
    label: 'Outbox',
    icon: IconMail,
    group: 'System',
    roles: ['admin'],
    isThere: () => appInfo.outbox,
    load: async () => (await import('./outbox/outbox-page.tsx')).OutboxPage,
  },
];

export const consolePages: readonly ConsolePage[] = allPages
  .filter(({ isThere }) => isThere?.() ?? true)
  .map((page) => ({ roles: everyRole, ...page }));
