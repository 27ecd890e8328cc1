import { kindWords } from '#contract/ledger-reasons.ts';
import type { LedgerTransfer } from '#contract/operator/ledger.ts';

type Account = LedgerTransfer['from']['account'];

/** Accounts as the books name them (docs/ledger.md): five a member, and those of the house. */
export const accountWords: Record<Account, string> = {
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
  adjustments: 'Adjustments',
};

export const accountOptions = (Object.keys(accountWords) as Account[]).map((value) => ({
  value,
  label: accountWords[value],
}));

export const groupWords = {
  asset: 'Asset',
  member: 'Owed to members',
  owed: 'Owed besides',
  surplus: 'The house’s own',
} as const;

export const reasonWords = (reason: LedgerTransfer['reason']): string => kindWords[reason];

export const reasonOptions = (Object.keys(kindWords) as LedgerTransfer['reason'][]).map((value) => ({
  value,
  label: kindWords[value],
}));
