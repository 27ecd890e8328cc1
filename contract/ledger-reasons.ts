/**
 * Every reason the ledger gives a transfer (docs/ledger.md) and the words people read for it, on screen, on paper
 * and in files. The house's own reasons have words too: a correction or a reversal can carry any of them, and a raw code
 * must never be shown. This file has no schemas, so that browsers can read it, too.
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
} as const;

export type LedgerReason = keyof typeof kindWords;
export const ledgerReasons = Object.keys(kindWords) as LedgerReason[];

/** Those that move money between accounts of the house alone. */
const houseReasons = [
  'deposit_unallocated',
  'deposit_refund',
  'performance_fee',
  'pool_weekly_fill',
  'pool_monthly_fill',
  'pool_rewards_fill',
  'fee_revenue',
  'venue_fund',
  'venue_return',
  'capital_in',
  'revenue_out',
  'venue_fee',
  'venue_rebate',
] as const satisfies LedgerReason[];

/** All others can stand in a member's statement: money in, trades, incomes, money out, then what people put right. */
export type MovementKind = Exclude<LedgerReason, (typeof houseReasons)[number]>;
export const movementKinds = ledgerReasons.filter(
  (reason): reason is MovementKind => !(houseReasons as readonly LedgerReason[]).includes(reason),
);

/** Words for a kind of a movement; one that came after this version was built is shown with its own words. */
export function wordsOfKind(kind: string): string {
  if (Object.hasOwn(kindWords, kind)) return kindWords[kind as keyof typeof kindWords];
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
