import { type BonusKind, type IncomeKind, incomeKinds } from '#contract/income.ts';
import { type IncomeReason, kindWords } from '#contract/ledger-reasons.ts';

/** Incomes from team fees and pools. */
export const teamKinds = ['referral', 'level', 'team_profit', 'weekly', 'monthly', 'reward'] as const;
export type TeamKind = (typeof teamKinds)[number];

/** Results of the member's own trades and plans. */
export const resultKinds = ['trade', 'compounding'] as const;

/** Their reasons in the ledger (docs/product.md, section 2). */
export const reasonOf = {
  referral: 'referral_bonus',
  level: 'level_bonus',
  team_profit: 'team_profit',
  weekly: 'weekly_income',
  monthly: 'monthly_income',
  reward: 'reward',
} as const satisfies Record<TeamKind, IncomeReason>;

export const teamReasons = teamKinds.map((kind) => reasonOf[kind]);

export const isTeamKind = (kind: IncomeKind): kind is TeamKind => kind in reasonOf;

/** URLs write `team_profit` with a dash. */
export const incomeOf = (kind: BonusKind): TeamKind => (kind === 'team-profit' ? 'team_profit' : kind);

/** Names of the kinds in exported statements. */
export const incomeNames: Record<IncomeKind, string> = {
  referral: kindWords.referral_bonus,
  level: kindWords.level_bonus,
  team_profit: kindWords.team_profit,
  weekly: kindWords.weekly_income,
  monthly: kindWords.monthly_income,
  reward: kindWords.reward,
  trade: 'Trade income',
  compounding: 'Compounding income',
};

/** Sort order of the kinds within a day. */
export const orderOf = (kind: IncomeKind): number => incomeKinds.indexOf(kind);
