import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { t } from '../../api/texts.ts';
import { formatDate, formatMonth } from '../../ui/format/time.ts';
import type { AccountLine } from './cover.ts';

/** Names and notes of the ledger's accounts. */
export const accountLabels: Readonly<Record<string, { name: string; note?: string }>> = {
  gateway: { name: t`Payment gateway`, note: t`deposits less payouts` },
  venue: { name: t`Trading venue`, note: t`cost of open positions` },
  primary: { name: t`Primary Wallets` },
  profit: { name: t`Profit Wallets` },
  trade_escrow: { name: t`In trades`, note: t`less trade fees` },
  investment: { name: t`In plans`, note: t`between trades` },
  withdrawal_hold: { name: t`Held for withdrawals` },
  unallocated: { name: t`Unallocated payments`, note: t`underpaid, late or in review` },
  trade_fees: { name: t`Trade fees`, note: t`not yet distributed` },
  performance_fees: { name: t`Performance fees`, note: t`not yet distributed` },
  pool_weekly: { name: t`Weekly pool`, note: t`reserved for team income` },
  pool_monthly: { name: t`Monthly pool`, note: t`reserved for team income` },
  pool_rewards: { name: t`Rewards pool`, note: t`reserved for team income` },
  fee_revenue: { name: t`Fee revenue` },
  withdrawal_fees: { name: t`Withdrawal fees` },
  venue_result: { name: t`Venue result`, note: t`exchange fees and slippage` },
  gateway_result: { name: t`Gateway result`, note: t`coins at the gateway, network fees` },
  adjustments: { name: t`Capital and corrections` },
};

/** Groups of accounts that the page totals. What is reserved for members counts as a liability. */
export const groupLabels: readonly {
  sum: 'assets' | 'liabilities' | 'surplus';
  title: string;
  groups: readonly AccountLine['group'][];
}[] = [
  { sum: 'assets', title: t`Assets`, groups: ['asset'] },
  { sum: 'liabilities', title: t`Liabilities`, groups: ['member', 'owed'] },
  { sum: 'surplus', title: t`Surplus`, groups: ['surplus'] },
];

/** `March 2026`, `4 Mar 2026`. */
export const periodText = ({ from, to }: FundedPeriod): string =>
  from === to ? formatDate(from) : formatMonth(from.slice(0, 7));
