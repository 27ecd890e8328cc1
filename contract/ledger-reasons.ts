import { english } from './texts.ts';

const { t } = english;

/**
 * Every reason of a ledger transfer (docs/ledger.md) with its label for screens, documents and files. The house's own
 * reasons have labels too: a correction or a reversal can carry any of them, and a raw code must never be shown. No
 * schemas in this file, so that browsers can load it.
 */
export const kindWords = {
  deposit: t`Deposit`,
  deposit_unallocated: t`Deposit waiting for review`,
  deposit_allocated: t`Deposit credited after review`,
  deposit_refund: t`Deposit refunded`,
  trade_place: t`Trade placed`,
  trade_cancel: t`Trade cancelled`,
  trade_fee: t`Trade fee`,
  trade_return: t`Trade settled`,
  trade_loss: t`Trade loss`,
  trade_gain: t`Trade gain, up to the amount`,
  trade_profit: t`Trade profit`,
  performance_fee: t`Performance fee`,
  plan_invest: t`Put into a plan`,
  plan_redeem: t`Redeemed from a plan`,
  execution_cost: t`Execution cost`,
  referral_bonus: t`Referral bonus`,
  level_bonus: t`Team level bonus`,
  team_profit: t`Team profit`,
  pool_weekly_fill: t`Weekly pool filled`,
  pool_monthly_fill: t`Monthly pool filled`,
  pool_rewards_fill: t`Rewards pool filled`,
  fee_revenue: t`Fees kept`,
  weekly_income: t`Weekly income`,
  monthly_income: t`Monthly income`,
  reward: t`Reward`,
  pool_release: t`Retained from a pool`,
  withdrawal_hold: t`Withdrawal requested`,
  withdrawal_payout: t`Withdrawal paid`,
  withdrawal_fee: t`Withdrawal fee`,
  withdrawal_release: t`Withdrawal returned`,
  closing_remainder: t`Forfeited on closing`,
  venue_fund: t`Moved to the trading venue`,
  venue_return: t`Moved back from the trading venue`,
  capital_in: t`Capital paid in`,
  revenue_out: t`Revenue taken out`,
  venue_fee: t`Venue fee`,
  venue_rebate: t`Venue rebate`,
  network_fee: t`Network fee`,
  gateway_revaluation: t`Gateway coins revalued`,
  gateway_conversion: t`Gateway coins sold`,
  correction: t`Correction`,
  reversal: t`Reversal`,
} as const;

export type LedgerReason = keyof typeof kindWords;
export const ledgerReasons = Object.keys(kindWords) as LedgerReason[];

/** Reasons that pay a team or pool income. */
export const incomeReasons = [
  'referral_bonus',
  'level_bonus',
  'team_profit',
  'weekly_income',
  'monthly_income',
  'reward',
] as const satisfies LedgerReason[];
export type IncomeReason = (typeof incomeReasons)[number];

/** Reasons that move money only between house accounts. */
const houseReasons = [
  'deposit_unallocated',
  'deposit_refund',
  'performance_fee',
  'execution_cost',
  'pool_weekly_fill',
  'pool_monthly_fill',
  'pool_rewards_fill',
  'fee_revenue',
  'pool_release',
  'venue_fund',
  'venue_return',
  'capital_in',
  'revenue_out',
  'venue_fee',
  'venue_rebate',
  'network_fee',
  'gateway_revaluation',
  'gateway_conversion',
] as const satisfies LedgerReason[];

/** All others can appear in a member's statement: money in, trades, incomes, money out, then manual corrections. */
export type MovementKind = Exclude<LedgerReason, (typeof houseReasons)[number]>;
export const movementKinds = ledgerReasons.filter(
  (reason): reason is MovementKind => !(houseReasons as readonly LedgerReason[]).includes(reason),
);

/** The label of a movement's kind; a kind newer than this build is shown by its own name in words. */
export function wordsOfKind(kind: string): string {
  if (Object.hasOwn(kindWords, kind)) return kindWords[kind as keyof typeof kindWords];
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Wallets as a statement names them, one for each ledger account of the member. */
export const statementWallets = ['primary', 'profit', 'in_trades', 'invested', 'on_hold'] as const;
export type StatementWallet = (typeof statementWallets)[number];

/** The member-facing words for the member's ledger accounts. */
export const walletWords: Record<StatementWallet, string> = {
  primary: t`Primary Wallet`,
  profit: t`Profit Wallet`,
  in_trades: t`In trades`,
  invested: t`In plans`,
  on_hold: t`On hold`,
};
