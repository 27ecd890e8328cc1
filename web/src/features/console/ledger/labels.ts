import { kindWords } from '#contract/ledger-reasons.ts';
import type { LedgerTransfer } from '#contract/operator/ledger.ts';

export type Account = LedgerTransfer['from']['account'];

/** Accounts by the names of docs/ledger.md: five per member, and those of the company. */
export const accountLabels: Record<Account, string> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  trade_escrow: 'In trades',
  investment: 'In plans',
  withdrawal_hold: 'Withdrawal hold',
  gateway: 'Gateway',
  venue: 'Venue',
  unallocated: 'Unallocated deposits',
  trade_fees: 'Trade fees',
  performance_fees: 'Performance fees',
  fee_revenue: 'Fee revenue',
  pool_weekly: 'Weekly pool',
  pool_monthly: 'Monthly pool',
  pool_rewards: 'Rewards pool',
  withdrawal_fees: 'Withdrawal fees',
  venue_result: 'Venue result',
  gateway_result: 'Gateway result',
  adjustments: 'Adjustments',
};

export const groupLabels = {
  asset: 'Asset',
  member: 'Member liability',
  owed: 'Other liability',
  surplus: 'Equity',
} as const;

export const reasonLabels: Record<LedgerTransfer['reason'], string> = kindWords;

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
