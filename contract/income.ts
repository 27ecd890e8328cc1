import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';
import { ranks } from './fee-plan.ts';
import { memberName, money, one, signedMoney } from './fields.ts';
import { english } from './texts.ts';

const { t } = english;

const rank = z.enum(ranks, t`Not a rank.`);
const day = z.iso.date(t`Not a day.`);

/** Kinds of income in totals and statements. Trade and compounding are results, of either sign. */
export const incomeKinds = [
  'referral',
  'level',
  'team_profit',
  'weekly',
  'monthly',
  'reward',
  'trade',
  'compounding',
] as const;
export type IncomeKind = (typeof incomeKinds)[number];

/** Kinds whose lines are shares of fees, by session and level; spelled as in paths. */
export const bonusKinds = ['referral', 'level', 'team-profit'] as const;
export type BonusKind = (typeof bonusKinds)[number];
export const lineKinds = [...bonusKinds, 'trade', 'compounding'] as const;
export type LineKind = (typeof lineKinds)[number];

/** Why a level paid nothing: its account is the company's, closed, without a trade in 30 days, or short of directs. */
export const missReasons = ['company', 'closed', 'inactive', 'directs'] as const;

/** One line of an income: for bonuses a session and level, for results a settled trade. */
export const incomeLine = z.strictObject({
  id,
  session: day,
  level: z.number().int().nullable(),
  /** For results, the asset traded. */
  symbol: z.string().nullable(),
  /** Sum of the amounts of the trades. */
  volume: money,
  /** The fees shared (bonuses) or paid (results). */
  fees: money,
  /** The share of those fees, in percent; null for results. */
  rate: z.number().nullable(),
  amount: signedMoney,
  /** Paid ÷ nominal; null for results, which have no nominal amount. */
  coverage: z.number().nullable(),
  created_at: instant,
});
export type IncomeLine = z.output<typeof incomeLine>;

/** A ledger transfer that paid a line. */
export const incomeTransfer = z.strictObject({
  id,
  reason: z.string(),
  /** Accounts by name: `trade_fees`, `profit`. */
  from: z.string(),
  to: z.string(),
  amount: money,
  created_at: instant,
});

export const bonusLevel = z.strictObject({
  level: z.number().int(),
  traders: z.number().int(),
  volume: money,
  fees: money,
  rate: z.number(),
  amount: money,
  reason: z.enum(missReasons).nullable(),
});

export const contributor = memberName.extend({ volume: money, fees: money });

/** A bonus line broken down to its sources. */
export const explainedBonus = z.strictObject({
  kind: z.enum(bonusKinds),
  line: incomeLine,
  fee_plan_id: id,
  /** The session's fees of all members, of which the line is a share. */
  session_fees: money,
  /** The session's execution cost, deducted from the fees before any share. */
  execution_cost: money,
  /** Active directs, and how many the level requires (level 1: none). */
  active_directs: z.number().int(),
  needed_directs: z.number().int(),
  /** All levels of this kind in the session; those that paid nothing give the reason. */
  levels: z.array(bonusLevel),
  /** The members whose trades the line comes from, in the order in which they joined. */
  contributors: page(contributor),
  transfers: z.array(incomeTransfer),
});
export type ExplainedBonus = z.output<typeof explainedBonus>;

export const weeklyLine = z.strictObject({
  /** `20260302`: its Monday. */
  id,
  /** `2026-W10` */
  week: z.string(),
  from: day,
  to: day,
  pool: money,
  /** Own team volume, and, in weeks that shared the whole pool, that of all qualified members. */
  volume: money,
  qualifying_volume: money.nullable(),
  /** From the downline's fees, each split among all qualified sponsors; null in weeks that shared the whole pool. */
  contributed: money.nullable(),
  /** Share of the pool, in percent; null when nothing was paid. */
  share: z.number().nullable(),
  /** The share before the cap. */
  nominal: money,
  /** The member's income of the week. */
  paid: money,
  /** Computed but not paid yet: an integrity alarm holds it, and this amount is paid later. */
  held: z.boolean(),
  /** Paid ÷ nominal, below 1 when capped; null when nothing was due. */
  coverage: z.number().nullable(),
  reason: z.enum(missReasons).nullable(),
  created_at: instant,
});
export type WeeklyLine = z.output<typeof weeklyLine>;

const volumeByLevel = z.array(z.strictObject({ level: z.number().int(), volume: money }));

export const explainedWeek = z.strictObject({
  line: weeklyLine,
  sessions: z.number().int(),
  /** Of all members. */
  trade_volume: money,
  trade_fees: money,
  /** Paid into the pool, and the balance carried over. */
  filled: money,
  carried: money,
  /** The most one member gets, in percent of the week's contributions, and whether it applied here. */
  cap: z.number(),
  capped: z.boolean(),
  levels: volumeByLevel,
  transfers: z.array(incomeTransfer),
});

export const monthlyLine = z.strictObject({
  /** `20260301`: its first day. */
  id,
  /** `2026-03` */
  period: z.string(),
  rank: rank.nullable(),
  /** Volume that counts under the leg rule. */
  volume: money,
  /** As for a week, split among sponsors with a rank; null in months that scaled all incomes alike. */
  contributed: money.nullable(),
  /** The maximum: the rank's own amount, or, in months that scaled all alike, the most that its volume earned back. */
  nominal: money,
  paid: money,
  /** As for a week. */
  held: z.boolean(),
  /** All incomes of the month are scaled by this; 1 where each is paid up to the contributions. */
  scale: z.number(),
  coverage: z.number().nullable(),
  reason: z.enum(['company', 'closed', 'inactive', 'rank']).nullable(),
  created_at: instant,
});
export type MonthlyLine = z.output<typeof monthlyLine>;

export const explainedMonth = z.strictObject({
  line: monthlyLine,
  team_volume: money,
  /** Volume required for the rank; null without one. */
  required: money.nullable(),
  up_to: money.nullable(),
  /** The most that is paid: own contributions or, in months that scaled all alike, those of the rank's own volume. */
  contributed: money,
  pool: money,
  /** What all members would get from an unlimited pool. */
  total: money,
  /** The most one leg counts for, in percent. */
  leg_cap: z.number(),
  legs: z.array(memberName.extend({ volume: money, counted: money })),
  legs_total: z.number().int(),
  transfers: z.array(incomeTransfer),
});

const rankTerms = z.strictObject({ rank, required: money, up_to: money });

export const rewardRank = z.strictObject({
  rank,
  /** For a rank already reached, the requirement at that time. */
  required: money,
  /** Volume counted this month under the leg rule; for a rank already reached, the volume required. */
  reached: money,
  /** The maximum; for a rank already reached, the actual reward. */
  reward: money,
  /** Own part of that month's contributions; null unless the rank was reached in a month that counted dollars once. */
  contributed: money.nullable(),
  /** `passed`: a higher rank was reached first, and its reward is paid instead. */
  state: z.enum(['locked', 'passed', 'claimable', 'waiting', 'paid']),
  /** The month in which it was reached: `2026-03`. */
  month: z.string().nullable(),
  /** Place in the queue; 1 is next. */
  place: z.number().int().nullable(),
  paid_at: instant.nullable(),
});
export type RewardRank = z.output<typeof rewardRank>;

const sums = z.strictObject({ today: signedMoney, week: signedMoney, month: signedMoney, lifetime: signedMoney });

export const incomeDay = z.strictObject({
  day,
  kind: z.enum(incomeKinds),
  amount: signedMoney,
  /** Number of transfers or trades. */
  count: z.number().int(),
});

export const income = {
  getEarnings: endpoint({
    method: 'GET',
    path: '/auth/user-earner',
    access: 'member',
    summary: 'Get income totals by kind for the market day, week, month and lifetime',
    data: z.strictObject({
      market_time: instant,
      kinds: z.array(sums.extend({ kind: z.enum(incomeKinds) })),
      /** Shares of fees only: bonuses, pools and rewards. */
      team: sums,
      /** Results of trades and plans. */
      results: sums,
    }),
  }),
  listTeamProfit: endpoint({
    method: 'GET',
    path: '/auth/team-profit',
    access: 'member',
    summary: 'List team profit by session and level, newest first',
    query: z.strictObject(paging),
    data: page(incomeLine).extend({ total: signedMoney }),
  }),
  listMonthly: endpoint({
    method: 'GET',
    path: '/bounus/monthly-salary',
    access: 'member',
    summary: 'List monthly income, newest first',
    query: z.strictObject(paging),
    data: page(monthlyLine).extend({
      lifetime: money,
      current: z.strictObject({
        period: z.string(),
        active: z.boolean(),
        rank: rank.nullable(),
        /** Team volume so far, and how much of it counts for the next rank (or the last). */
        team_volume: money,
        volume: money,
        next: z.strictObject({ rank, required: money, reached: money }).nullable(),
        /** The most one leg counts of a rank's volume, in percent. */
        leg_cap: z.number(),
        pool: money,
        /** Whether it pays contributions; older months scale all incomes alike. */
        counted_once: z.boolean(),
        pays_at: instant,
      }),
      /** The last three months that paid, newest first. */
      coverages: z.array(z.strictObject({ period: z.string(), coverage: z.number() })),
      ranks: z.array(rankTerms),
    }),
  }),
  explainMonth: endpoint({
    method: 'GET',
    path: '/bounus/monthly-salary/:id',
    access: 'member',
    summary: 'Explain a monthly income: legs, rank, pool and ledger transfers',
    params: one,
    data: explainedMonth,
    refusals: ['not_found'],
  }),
  listWeekly: endpoint({
    method: 'GET',
    path: '/bounus/monthly-weekly',
    access: 'member',
    summary: 'List weekly income, newest first',
    query: z.strictObject(paging),
    data: page(weeklyLine).extend({
      lifetime: money,
      weeks_paid: z.number().int(),
      current: z.strictObject({
        week: z.string(),
        from: day,
        to: day,
        volume: money,
        /** The most one member gets, in percent of the week's contributions. */
        cap: z.number(),
        pool: money,
        /** Whether it pays contributions; older weeks share the whole pool. */
        counted_once: z.boolean(),
        qualifies: z.boolean(),
        reason: z.enum(missReasons).nullable(),
        active_directs: z.number().int(),
        needed_directs: z.number().int(),
        pays_at: instant,
      }),
    }),
  }),
  explainWeek: endpoint({
    method: 'GET',
    path: '/bounus/monthly-weekly/:id',
    access: 'member',
    summary: 'Explain a weekly income: fees, pool, share and ledger transfers',
    params: one,
    data: explainedWeek,
    refusals: ['not_found'],
  }),
  listLines: endpoint({
    method: 'GET',
    path: '/bounus/:kind',
    access: 'member',
    summary: 'List lines of one income, newest first',
    params: z.strictObject({ kind: z.enum(lineKinds, 'Not a kind of income.') }),
    query: z.strictObject(paging),
    /** `total`: the lifetime sum. */
    data: page(incomeLine).extend({ total: signedMoney }),
  }),
  explainLine: endpoint({
    method: 'GET',
    path: '/bounus/:kind/:id',
    access: 'member',
    summary: 'Explain a bonus: contributors, level, volume, rate, fees and ledger transfers',
    params: z.strictObject({ kind: z.enum(bonusKinds, 'Not a kind of bonus.'), id }),
    query: z.strictObject(paging),
    data: explainedBonus,
    refusals: ['not_found'],
  }),
  listRewards: endpoint({
    method: 'GET',
    path: '/safe/fetch-sir-reward',
    access: 'member',
    summary: 'List rank rewards with progress and queue positions',
    data: z.strictObject({
      period: z.string(),
      ranks: z.array(rewardRank),
      /** Team volume of this month so far. */
      volume: money,
      pool: money,
      /** Queued claims of all members, and their sum. */
      waiting: z.number().int(),
      waiting_amount: money,
      leg_cap: z.number(),
    }),
  }),
  claimReward: endpoint({
    method: 'POST',
    path: '/safe/claim-reward',
    access: 'member',
    summary: 'Claim a rank reward; paid immediately, or queued while the pool is too small',
    body: z.strictObject({ rank }),
    data: rewardRank,
    refusals: ['reward_not_claimable'],
    idempotent: true,
  }),
  getPayout: endpoint({
    method: 'GET',
    path: '/payout',
    access: 'member',
    summary: 'List income by kind and market day, newest first; `format=csv` returns all of it as a file',
    query: z.strictObject({
      ...paging,
      /** Market days, both inclusive. */
      from: day.optional(),
      to: day.optional(),
      kind: z.enum(incomeKinds, t`Not a kind of income.`).optional(),
      format: z.enum(['json', 'csv']).optional(),
    }),
    data: page(incomeDay).extend({
      from: day.nullable(),
      to: day.nullable(),
      totals: z.array(z.strictObject({ kind: z.enum(incomeKinds), amount: signedMoney })),
    }),
    file: 'text/csv',
    refusals: ['period_turned'],
  }),
};
