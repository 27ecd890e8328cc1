import type { Rank } from '#contract/fee-plan.ts';
import type { IncomeKind } from '#contract/income.ts';
import { paths } from '../../ui/paths.ts';
import { percentWords } from './fee-lines.ts';

/** Every kind of income in the order in which lists name them, with its page. */
export const incomeWords: Record<IncomeKind, { name: string; path: string }> = {
  referral: { name: 'Referral Bonus', path: paths.referralBonus },
  level: { name: 'Team Level Bonus', path: paths.teamLevelBonus },
  weekly: { name: 'Weekly Income', path: paths.weeklyIncome },
  monthly: { name: 'Monthly Income', path: paths.monthlyIncome },
  team_profit: { name: 'Team Profit', path: paths.teamProfit },
  reward: { name: 'Rewards', path: paths.rewards },
  trade: { name: 'Trade Income', path: paths.tradeIncome },
  compounding: { name: 'Compounding Income', path: paths.compoundingIncome },
};

/** Results are signed; all else is a share of fees and is not. */
export const isResult = (kind: IncomeKind): boolean => kind === 'trade' || kind === 'compounding';

const kinds = Object.keys(incomeWords) as IncomeKind[];
export const teamKinds: readonly IncomeKind[] = kinds.filter((kind) => !isResult(kind));
export const resultKinds: readonly IncomeKind[] = kinds.filter(isResult);

export const rankWords: Record<Rank, string> = {
  bronze: 'Bronze',
  silver: 'Silver',
  gold: 'Gold',
  platinum: 'Platinum',
  diamond: 'Diamond',
};

/** A rate or cap as the server gives it, in percent: `rateWords(10) === '10%'`, `rateWords(2.5) === '2.50%'`; unknown is a dash. */
export const rateWords = (percent: number | null): string =>
  percent === null ? '–' : percentWords(Math.round(percent * 100));
