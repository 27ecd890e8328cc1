import type { MovementKind, StatementWallet } from './deposits.ts';

/**
 * The words a member reads for each reason the ledger gives a transfer (docs/ledger-reasons.md), on screen, on paper and
 * in files. The house's own reasons have words too: a correction or a reversal can carry any of them, and a raw code must
 * never be shown.
 */
export const kindWords = {
  deposit: 'Deposit',
  deposit_unallocated: 'Deposit waiting for review',
  deposit_allocated: 'Deposit credited after review',
  deposit_refund: 'Deposit refunded',
  trade_place: 'Trade placed',
  trade_cancel: 'Trade cancelled',
  trade_fee: 'Trade fee',
  trade_return: 'Trade settled',
  trade_loss: 'Trade loss',
  trade_gain: 'Trade gain, up to the amount',
  trade_profit: 'Trade profit',
  performance_fee: 'Performance fee',
  plan_invest: 'Put into a plan',
  plan_redeem: 'Redeemed from a plan',
  referral_bonus: 'Referral bonus',
  level_bonus: 'Team level bonus',
  team_profit: 'Team profit',
  pool_weekly_fill: 'Weekly pool filled',
  pool_monthly_fill: 'Monthly pool filled',
  pool_rewards_fill: 'Rewards pool filled',
  fee_revenue: 'Fees kept',
  weekly_income: 'Weekly income',
  monthly_income: 'Monthly income',
  reward: 'Reward',
  withdrawal_hold: 'Withdrawal requested',
  withdrawal_payout: 'Withdrawal paid',
  withdrawal_fee: 'Withdrawal fee',
  withdrawal_release: 'Withdrawal returned',
  venue_fund: 'Moved to the trading venue',
  venue_return: 'Moved back from the trading venue',
  capital_in: 'Capital paid in',
  revenue_out: 'Revenue taken out',
  venue_fee: 'Venue fee',
  venue_rebate: 'Venue rebate',
  correction: 'Correction',
  reversal: 'Reversal',
} as const satisfies Record<string, string> & Record<MovementKind, string>;

/** Words for a kind of a movement; one that came after this version was built is shown with its own words. */
export function wordsOfKind(kind: string): string {
  if (Object.hasOwn(kindWords, kind)) return kindWords[kind as keyof typeof kindWords];
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The member-facing words for the member's ledger accounts. */
export const walletWords: Record<StatementWallet, string> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  in_trades: 'In trades',
  invested: 'In plans',
  on_hold: 'On hold',
};
