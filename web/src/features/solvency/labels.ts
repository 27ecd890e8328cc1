import type { IncomeKind } from '#contract/income.ts';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { formatDate, formatMonth } from '../../ui/format/time.ts';
import type { AccountLine } from './cover.ts';

/** What each account of the ledger is called, and what stands beside it. */
export const accountWords: Readonly<Record<string, { name: string; note?: string }>> = {
  gateway: { name: 'Payment gateway', note: 'what members paid in, less what was paid out' },
  venue: { name: 'Trading venue', note: 'what open positions cost' },
  primary: { name: 'Primary Wallets' },
  profit: { name: 'Profit Wallets' },
  trade_escrow: { name: 'In trades' },
  investment: { name: 'In plans' },
  withdrawal_hold: { name: 'Held for withdrawals' },
  unallocated: { name: 'Payments to be credited', note: 'underpaid, late or in review' },
  trade_fees: { name: 'Trade fees', note: 'not shared yet' },
  performance_fees: { name: 'Performance fees', note: 'not shared yet' },
  pool_weekly: { name: 'Weekly pool', note: 'set aside for team income' },
  pool_monthly: { name: 'Monthly pool', note: 'set aside for team income' },
  pool_rewards: { name: 'Rewards pool', note: 'set aside for team income' },
  fee_revenue: { name: 'Fee revenue' },
  withdrawal_fees: { name: 'Withdrawal fees' },
  venue_result: { name: 'Venue result', note: 'exchange fees and slippage' },
  adjustments: { name: 'Capital and corrections' },
};

/** Groups of accounts as the page sums them: what is set aside for members is owed to them. */
export const groupWords: readonly { title: string; groups: readonly AccountLine['group'][] }[] = [
  { title: 'Assets', groups: ['asset'] },
  { title: 'Owed', groups: ['member', 'owed'] },
  { title: 'Surplus', groups: ['surplus'] },
];

export const incomeWords: Readonly<Record<IncomeKind, string>> = {
  referral: 'Referral bonus',
  level: 'Team level bonus',
  team_profit: 'Team profit',
  weekly: 'Weekly income',
  monthly: 'Monthly income',
  reward: 'Rewards',
  trade: 'Trade income',
  compounding: 'Compounding income',
};

/** `March 2026`, `4 Mar 2026`. */
export const periodWords = ({ from, to }: FundedPeriod): string =>
  from === to ? formatDate(from) : formatMonth(from.slice(0, 7));
