import { firstFeePlan } from '#contract/fee-plan.ts';
import type { ExplainedBonus, IncomeLine, MonthlyLine, RewardRank, WeeklyLine } from '#contract/income.ts';
import { success } from './server.ts';

/** The first fee plan in force, with no other scheduled. */
export const fees = success({
  current: { id: '1', terms: firstFeePlan, note: 'The first.', created_at: '2026-01-01T00:00:00Z', state: 'current' },
  next: null,
});

const zero = { today: 0, week: 0, month: 0, lifetime: 0 };

/** Totals of each income: lifetime referral bonuses of 24.116, and a trading loss of 3.5 this month. */
export const earnings = success({
  market_time: '2026-03-04T18:00:00Z',
  kinds: [
    { kind: 'referral', today: 0.2, week: 1.5, month: 6.736, lifetime: 24.116 },
    { kind: 'level', ...zero },
    { kind: 'team_profit', ...zero },
    { kind: 'weekly', ...zero },
    { kind: 'monthly', ...zero },
    { kind: 'reward', today: 0, week: 0, month: 1, lifetime: 1 },
    { kind: 'trade', today: -2, week: -3.5, month: -3.5, lifetime: 10.25 },
    { kind: 'compounding', ...zero },
  ],
  team: { today: 0.2, week: 1.5, month: 7.736, lifetime: 25.116 },
  results: { today: -2, week: -3.5, month: -3.5, lifetime: 10.25 },
});

export const anIncomeLine = (change: Partial<IncomeLine> = {}): IncomeLine => ({
  id: '2026030401',
  session: '2026-03-04',
  level: 1,
  symbol: null,
  volume: 250,
  fees: 1,
  rate: 20,
  amount: 0.2,
  coverage: 1,
  created_at: '2026-03-04T17:30:00Z',
  ...change,
});

/** Level 3 of a session: 6 % of fees of 2; level 7 is unpaid for lack of active directs. */
export const aLevelBonus = (change: Partial<ExplainedBonus> = {}): ExplainedBonus => ({
  kind: 'level',
  line: anIncomeLine({ id: '2026030403', level: 3, volume: 500, fees: 2, rate: 6, amount: 0.12 }),
  fee_plan_id: '1',
  session_fees: 120,
  execution_cost: 0,
  active_directs: 4,
  needed_directs: 3,
  levels: [
    { level: 3, traders: 2, volume: 500, fees: 2, rate: 6, amount: 0.12, reason: null },
    { level: 7, traders: 1, volume: 1000, fees: 4, rate: 2, amount: 0, reason: 'directs' },
  ],
  contributors: {
    items: [{ id: '9', referral_code: 'TWAAAAAAAA', name: 'Bela Kun', volume: 400, fees: 1.6 }],
    next_cursor: null,
    total: 2,
  },
  transfers: [
    {
      id: '812',
      reason: 'level_bonus',
      from: 'trade_fees',
      to: 'profit',
      amount: 0.12,
      created_at: '2026-03-04T17:30:00Z',
    },
  ],
  ...change,
});

export const aWeek = (change: Partial<WeeklyLine> = {}): WeeklyLine => ({
  id: '20260223',
  week: '2026-W09',
  from: '2026-02-23',
  to: '2026-03-01',
  pool: 1184.2614,
  volume: 16_940,
  qualifying_volume: 9_214_806,
  contributed: null,
  share: 0.1838,
  nominal: 2.1771,
  paid: 2.1771,
  held: false,
  coverage: 1,
  reason: null,
  created_at: '2026-03-02T00:00:00Z',
  ...change,
});

export const aMonth = (change: Partial<MonthlyLine> = {}): MonthlyLine => ({
  id: '20260201',
  period: '2026-02',
  rank: 'silver',
  volume: 27_000,
  contributed: null,
  nominal: 8,
  paid: 6.56,
  held: false,
  scale: 0.82,
  coverage: 0.82,
  reason: null,
  created_at: '2026-03-01T00:00:00Z',
  ...change,
});

export const aRank = (change: Partial<RewardRank> = {}): RewardRank => ({
  rank: 'bronze',
  required: 5000,
  reached: 3200,
  reward: 1,
  contributed: null,
  state: 'locked',
  month: null,
  place: null,
  paid_at: null,
  ...change,
});

/** The response without any month: the requirements of each rank, and rewards paid at 82 % in February. */
export const months = (items: MonthlyLine[] = []) =>
  success({
    items,
    next_cursor: null,
    lifetime: 6.56,
    current: {
      period: '2026-03',
      active: true,
      rank: 'bronze',
      team_volume: 9_000,
      volume: 7_500,
      next: { rank: 'silver', required: 25_000, reached: 7_500 },
      leg_cap: 40,
      pool: 310.5,
      counted_once: true,
      pays_at: '2026-04-01T00:00:00Z',
    },
    coverages: [
      { period: '2026-02', coverage: 0.82 },
      { period: '2026-01', coverage: 1 },
    ],
    ranks: [
      { rank: 'bronze', required: 5000, up_to: 2 },
      { rank: 'silver', required: 25_000, up_to: 10 },
    ],
  });
