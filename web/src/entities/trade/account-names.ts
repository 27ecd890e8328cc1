import { t } from '../../api/texts.ts';

/** Ledger accounts by the names that members see. */
const accountNames: Readonly<Record<string, string>> = {
  primary: t`Primary Wallet`,
  profit: t`Profit Wallet`,
  trade_escrow: t`In trades`,
  investment: t`In plans`,
  withdrawal_hold: t`Held for withdrawals`,
  venue: t`Venue`,
  trade_fees: t`Trade fees`,
  performance_fees: t`Performance fees`,
  pool_weekly: t`Weekly pool`,
  pool_monthly: t`Monthly pool`,
  pool_rewards: t`Rewards pool`,
  fee_revenue: t`Retained fees`,
};
export const accountName = (account: string): string => accountNames[account] ?? account.replaceAll('_', ' ');
