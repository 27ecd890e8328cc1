import type { BonusKind, MonthlyLine, WeeklyLine } from '#contract/income.ts';

/** What the levels of a bonus are a share of, as the pages of incomes say it. */
export const bonusWords: Record<BonusKind, { from: string; fees: string; levels: string; none: string }> = {
  referral: {
    from: 'A share of the trade fees that your direct referrals paid.',
    fees: 'trade fees',
    levels: 'level 1',
    none: 'When somebody you invited trades, your share of the trade fee is listed here.',
  },
  level: {
    from: 'A share of the trade fees that levels 2 to 10 of your team paid.',
    fees: 'trade fees',
    levels: 'levels 2 to 10',
    none: 'When somebody at levels 2 to 10 of your team trades, your share of the trade fee is listed here.',
  },
  'team-profit': {
    from: 'A share of the performance fees that levels 1 to 3 of your team paid.',
    fees: 'performance fees',
    levels: 'levels 1 to 3',
    none: 'When levels 1 to 3 of your team pay performance fees on gains, your share of them is listed here.',
  },
};

type Reason = NonNullable<WeeklyLine['reason'] | MonthlyLine['reason']>;

/** Why something paid nothing: in short, and as a sentence. */
export const reasonWords: Record<Reason, { short: string; sentence: string }> = {
  company: { short: 'Company', sentence: 'The company takes no income.' },
  closed: { short: 'Closed', sentence: 'The account is closed.' },
  inactive: { short: 'Not active', sentence: 'You had no settled trade in the 30 days before.' },
  directs: { short: 'Too few directs', sentence: 'Too few of your direct referrals were active.' },
  rank: { short: 'No rank', sentence: 'No rank was reached.' },
};

/** Ledger accounts as a member knows them. */
const accountWords: Record<string, string> = {
  trade_fees: 'Trade fees',
  performance_fees: 'Performance fees',
  pool_weekly: 'Weekly pool',
  pool_monthly: 'Monthly pool',
  pool_rewards: 'Rewards pool',
  profit: 'Profit wallet',
  fee_revenue: 'Fees kept',
};
export const accountWord = (account: string): string => accountWords[account] ?? account.replaceAll('_', ' ');

/** `countOf(1, 'member') === '1 member'`, `countOf(1200, 'member') === '1,200 members'` */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
