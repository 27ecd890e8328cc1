import type { AccountClass } from './account.ts';

/**
 * Every flow there is: product.md section 2, "Everything that moves". Nothing else can be written: the database carries
 * the same rows in `ledger.flow` and compiles them into a CHECK, and `verifyLedger` compares both with this list.
 * There is no row from one member to another, nor from a deposit or a principal to an income.
 */
export const flows = [
  ['gateway', 'primary', 'deposit'],
  ['gateway', 'unallocated', 'deposit_unallocated'],
  ['unallocated', 'primary', 'deposit_allocated'],
  ['unallocated', 'gateway', 'deposit_refund'],
  ['primary', 'trade_escrow', 'trade_place'],
  ['profit', 'trade_escrow', 'trade_place'],
  ['investment', 'trade_escrow', 'trade_place'],
  ['trade_escrow', 'primary', 'trade_cancel'],
  ['trade_escrow', 'profit', 'trade_cancel'],
  ['trade_escrow', 'investment', 'trade_cancel'],
  ['trade_escrow', 'trade_fees', 'trade_fee'],
  ['trade_escrow', 'primary', 'trade_return'],
  ['trade_escrow', 'profit', 'trade_return'],
  ['trade_escrow', 'investment', 'trade_return'],
  ['trade_escrow', 'venue', 'trade_loss'],
  ['venue', 'primary', 'trade_gain'],
  ['venue', 'profit', 'trade_gain'],
  ['venue', 'investment', 'trade_gain'],
  ['venue', 'profit', 'trade_profit'],
  ['venue', 'investment', 'trade_profit'],
  ['venue', 'performance_fees', 'performance_fee'],
  ['primary', 'investment', 'plan_invest'],
  ['profit', 'investment', 'plan_invest'],
  ['investment', 'primary', 'plan_redeem'],
  ['trade_fees', 'profit', 'referral_bonus'],
  ['trade_fees', 'profit', 'level_bonus'],
  ['performance_fees', 'profit', 'team_profit'],
  ['trade_fees', 'pool_weekly', 'pool_weekly_fill'],
  ['trade_fees', 'pool_monthly', 'pool_monthly_fill'],
  ['trade_fees', 'pool_rewards', 'pool_rewards_fill'],
  ['trade_fees', 'fee_revenue', 'fee_revenue'],
  ['performance_fees', 'fee_revenue', 'fee_revenue'],
  ['pool_weekly', 'profit', 'weekly_income'],
  ['pool_monthly', 'profit', 'monthly_income'],
  ['pool_rewards', 'profit', 'reward'],
  ['primary', 'withdrawal_hold', 'withdrawal_hold'],
  ['profit', 'withdrawal_hold', 'withdrawal_hold'],
  ['withdrawal_hold', 'gateway', 'withdrawal_payout'],
  ['withdrawal_hold', 'withdrawal_fees', 'withdrawal_fee'],
  ['withdrawal_hold', 'primary', 'withdrawal_release'],
  ['withdrawal_hold', 'profit', 'withdrawal_release'],
  // Gateway and venue are assets, which grow when they are debited: money sent to the venue is venue → gateway.
  ['venue', 'gateway', 'venue_fund'],
  ['gateway', 'venue', 'venue_return'],
  ['gateway', 'adjustments', 'capital_in'],
  ['fee_revenue', 'gateway', 'revenue_out'],
  ['withdrawal_fees', 'gateway', 'revenue_out'],
  ['venue_result', 'venue', 'venue_fee'],
  ['venue', 'venue_result', 'venue_rebate'],
  ['adjustments', 'primary', 'correction'],
  ['adjustments', 'profit', 'correction'],
  ['primary', 'adjustments', 'correction'],
  ['profit', 'adjustments', 'correction'],
] as const satisfies readonly (readonly [from: AccountClass, to: AccountClass, reason: string])[];

/** A reason a transfer can be posted for. */
export type FlowReason = (typeof flows)[number][2];
/** A reason a transfer can carry: a reversal is made by `reverse` alone. */
export type Reason = FlowReason | 'reversal';

export const reasons: readonly Reason[] = [...new Set<Reason>(flows.map(([, , reason]) => reason)), 'reversal'];
