import type { MovementKind } from '#contract/funds/deposits.ts';

export { kindWords, wordsOfKind } from '#contract/funds/statement-labels.ts';

/** What a member's statement can hold, in the order of the filter: money in, trades, incomes, money out, then what people put right. */
export const filterKinds = [
  'deposit',
  'deposit_allocated',
  'trade_place',
  'trade_cancel',
  'trade_fee',
  'trade_return',
  'trade_loss',
  'trade_gain',
  'trade_profit',
  'plan_invest',
  'plan_redeem',
  'referral_bonus',
  'level_bonus',
  'team_profit',
  'weekly_income',
  'monthly_income',
  'reward',
  'withdrawal_hold',
  'withdrawal_payout',
  'withdrawal_fee',
  'withdrawal_release',
  'correction',
  'reversal',
] as const satisfies readonly MovementKind[];
