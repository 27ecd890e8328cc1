import type { BonusKind, MonthlyLine, WeeklyLine } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { formatPercent } from '../../ui/format/number.ts';

type BonusWords = {
  from: string;
  fees: string;
  levels: string;
  feesOf: string;
  paidBy: (level: number) => string;
  none: string;
};

/** What the levels of a bonus are a share of. */
export const bonusWords: Record<BonusKind, BonusWords> = {
  referral: {
    from: t`A share of the trade fees that your direct referrals paid.`,
    fees: t`Trade fees`,
    levels: t`Of the trade fees, level 1`,
    feesOf: t`Trade fees of all members`,
    paidBy: () => t`Paid by your direct referrals`,
    none: t`When a direct referral trades, your share of the trade fee is listed here.`,
  },
  level: {
    from: t`A share of the trade fees that levels 2 to 10 of your team paid.`,
    fees: t`Trade fees`,
    levels: t`Of the trade fees, levels 2 to 10`,
    feesOf: t`Trade fees of all members`,
    paidBy: (level) => t`Paid by level ${level} of your team`,
    none: t`When levels 2 to 10 of your team trade, your share of the trade fees is listed here.`,
  },
  'team-profit': {
    from: t`A share of the performance fees that levels 1 to 3 of your team paid.`,
    fees: t`Performance fees`,
    levels: t`Of the performance fees, levels 1 to 3`,
    feesOf: t`Performance fees of all members`,
    paidBy: (level) => t`Paid by level ${level} of your team`,
    none: t`When levels 1 to 3 of your team pay performance fees on gains, your share is listed here.`,
  },
};

type Reason = NonNullable<WeeklyLine['reason'] | MonthlyLine['reason']>;

/** Why nothing was paid: in short, and as a sentence. */
export const reasonWords: Record<Reason, { short: string; sentence: string }> = {
  company: { short: t`Company`, sentence: t`The company takes no income.` },
  closed: { short: t`Closed`, sentence: t`The account is closed.` },
  inactive: { short: t`Not active`, sentence: t`You had no settled trade in the 30 days before.` },
  directs: { short: t`Too few directs`, sentence: t`Too few of your direct referrals were active.` },
  rank: { short: t`No rank`, sentence: t`No rank was reached.` },
};

/** What a contributed part is. */
export const contributedNote = t`What your levels 1 to 10 put into the pool, each trader’s part split evenly between all who qualify above that trader.`;

/** `coverageText(1) === '100%'`, `coverageText(0.8246) === '82.46%'` */
export const coverageText = (value: number): string => (value === 1 ? '100%' : formatPercent(value * 100));
