import { type BonusKind, type IncomeKind, incomeKinds } from '#contract/income.ts';
import { type IncomeReason, kindWords } from '#contract/ledger-reasons.ts';

/** Incomes from a team's fees and the pools. */
export const teamKinds = ['referral', 'level', 'team_profit', 'weekly', 'monthly', 'reward'] as const;
export type TeamKind = (typeof teamKinds)[number];

/** Incomes that are results of the member's own trades and plans. */
export const resultKinds = ['trade', 'compounding'] as const;

/** The reason under which the ledger pays each of them (docs/product.md, section 2). */
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

/** Addresses write the one kind of two words with a dash. */
export const incomeOf = (kind: BonusKind): TeamKind => (kind === 'team-profit' ? 'team_profit' : kind);

/** How a statement that leaves the screen names each kind. */
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

/** Place of a kind among those of one day. */
export const orderOf = (kind: IncomeKind): number => incomeKinds.indexOf(kind);
