import type { Rank } from '#contract/fee-plan.ts';
import type { IncomeKind } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../../ui/paths.ts';
import { formatBps } from './fees.ts';

/** Every kind of income with its page, in the order of lists. */
export const incomeLabels: Record<IncomeKind, { name: string; path: string }> = {
  referral: { name: t`Referral Bonus`, path: paths.referralBonus },
  level: { name: t`Team Level Bonus`, path: paths.teamLevelBonus },
  weekly: { name: t`Weekly Income`, path: paths.weeklyIncome },
  monthly: { name: t`Monthly Income`, path: paths.monthlyIncome },
  team_profit: { name: t`Team Profit`, path: paths.teamProfit },
  reward: { name: t`Rewards`, path: paths.rewards },
  trade: { name: t`Trade Income`, path: paths.tradeIncome },
  compounding: { name: t`Compounding Income`, path: paths.compoundingIncome },
};

/** Results are signed; everything else is a share of fees and is not. */
export const isResult = (kind: IncomeKind): boolean => kind === 'trade' || kind === 'compounding';

const kinds = Object.keys(incomeLabels) as IncomeKind[];
export const teamKinds: readonly IncomeKind[] = kinds.filter((kind) => !isResult(kind));
export const resultKinds: readonly IncomeKind[] = kinds.filter(isResult);

export const rankLabels: Record<Rank, string> = {
  bronze: t`Bronze`,
  silver: t`Silver`,
  gold: t`Gold`,
  platinum: t`Platinum`,
  diamond: t`Diamond`,
};

/**
 * A rate or cap in percent, as the server sends it: `formatRate(10) === '10%'`, `formatRate(2.5) === '2.50%'`; unknown is
 * a dash.
 */
export const formatRate = (percent: number | null): string =>
  percent === null ? '–' : formatBps(Math.round(percent * 100));
