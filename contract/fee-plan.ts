import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles } from './endpoint.ts';
import { money, moneyAmount } from './fields.ts';
import { rankIncomeMostDollars, withdrawalRules } from './rules.ts';

/** Ranks of docs/product.md, section 6, lowest first. */
export const ranks = ['bronze', 'silver', 'gold', 'platinum', 'diamond'] as const;
export type Rank = (typeof ranks)[number];

const bps = (max: number) =>
  z
    .number('Enter basis points.')
    .int('Whole basis points.')
    .min(0, 'Not negative.')
    .max(max, `At most ${max} basis points.`);
const share = bps(10_000);

const fiveRanks = (income: typeof moneyAmount) =>
  z.array(z.strictObject({ volume: moneyAmount, monthly: income, reward: income })).length(ranks.length, 'Five ranks.');

/** Terms of a fee plan (docs/product.md, section 6). Rates and shares are in basis points, amounts in dollars. */
export const feePlanTerms = z.strictObject({
  /** Charged on the amount when a trade opens. */
  trade_fee_bps: bps(1000),
  /** Charged on the gain over the amount when a trade settles. */
  performance_fee_bps: bps(5000),
  withdrawal_fee_bps: bps(1000),
  /** Minimum in dollars. */
  withdrawal_fee_min: moneyAmount,
  /** Shares of the trade fee: level 1 is the referral bonus, levels 2 to 10 the team level bonus. */
  level_bps: z.array(share).length(10, 'Ten levels.'),
  weekly_bps: share,
  monthly_bps: share,
  rewards_bps: share,
  /** Shares of the performance fee: levels 1 to 3. */
  team_profit_bps: z.array(share).length(3, 'Three levels.'),
  /** Active directs required for the weekly income. */
  weekly_min_directs: z.number().int().min(0).max(1000),
  /** The most one member gets of the weekly pool. */
  weekly_cap_bps: share.min(1, 'At least 1 basis point.'),
  /** The most one leg counts towards a rank's volume. */
  leg_cap_bps: share.min(1, 'At least 1 basis point.'),
  /** Bronze to Diamond: required monthly volume, maximum monthly income and maximum lifetime reward, in dollars. */
  ranks: fiveRanks(moneyAmount),
});
export type FeePlanTerms = z.output<typeof feePlanTerms>;

/** Terms that can be proposed now. Plans are immutable, so an older one may exceed these limits. */
export const newFeePlanTerms = feePlanTerms.extend({
  withdrawal_fee_min: moneyAmount.max(
    withdrawalRules.feeMinimumMostDollars,
    `At most ${withdrawalRules.feeMinimumMostDollars} dollars: a withdrawal may be of ${withdrawalRules.minimumDollars}.`,
  ),
  ranks: fiveRanks(moneyAmount.max(rankIncomeMostDollars, `At most ${rankIncomeMostDollars} dollars.`)),
});

/** The first fee plan (docs/product.md, section 6). A migration inserts the same terms; a test compares them. */
export const firstFeePlan: FeePlanTerms = {
  trade_fee_bps: 40,
  performance_fee_bps: 1000,
  withdrawal_fee_bps: 100,
  withdrawal_fee_min: 1,
  level_bps: [2000, 1000, 600, 400, 300, 200, 200, 100, 100, 100],
  weekly_bps: 1000,
  monthly_bps: 1000,
  rewards_bps: 500,
  team_profit_bps: [1500, 1000, 500],
  weekly_min_directs: 3,
  weekly_cap_bps: 1000,
  leg_cap_bps: 6000,
  ranks: [
    { volume: 5_000, monthly: 2, reward: 1 },
    { volume: 25_000, monthly: 10, reward: 5 },
    { volume: 100_000, monthly: 40, reward: 20 },
    { volume: 500_000, monthly: 200, reward: 100 },
    { volume: 2_000_000, monthly: 800, reward: 400 },
  ],
};

export const feePlan = z.strictObject({
  id,
  terms: feePlanTerms,
  note: z.string(),
  created_at: instant,
  /** `current`: used by the session opened last; `next`: used from the next session; `past`: neither. */
  state: z.enum(['past', 'current', 'next']),
});
export type FeePlan = z.output<typeof feePlan>;

export const waterfallSums = z.strictObject({
  trade_fees: money,
  performance_fees: money,
  /** The session's execution cost, deducted from the fees before any share. */
  execution_cost: money,
  referral_bonus: money,
  level_bonus: money,
  team_profit: money,
  pool_weekly: money,
  pool_monthly: money,
  pool_rewards: money,
  /** Retained by the house. */
  revenue: money,
  /** Members who get a bonus. */
  beneficiaries: z.number().int(),
});

/** With what the weekly and monthly pools would pay for this session alone, by the ranks of the month so far. */
export const dryRunSums = waterfallSums.extend({ paid_weekly: money, paid_monthly: money });
export type DryRunSums = z.output<typeof dryRunSums>;

export const feePlans = {
  getFees: endpoint({
    method: 'GET',
    path: '/fees',
    access: 'public',
    summary: 'Get the current fee plan and a different one for the next session',
    data: z.strictObject({ current: feePlan, next: feePlan.nullable() }),
  }),
  listFeePlans: endpoint({
    method: 'GET',
    path: '/operator/fee-plans',
    access: operatorRoles,
    summary: 'List fee plans, newest first',
    data: z.strictObject({ items: z.array(feePlan) }),
  }),
};

/** Mounted by income, because it computes a bonus run. */
export const feePlanDryRun = {
  dryRunFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans/dry-run',
    access: financeRoles,
    summary: 'Simulate a fee plan on the last settled session; posts nothing',
    body: z.strictObject({ terms: newFeePlanTerms }),
    data: z.strictObject({
      session: z.iso.date(),
      /** The actual run, and the run under the proposed terms. */
      actual: dryRunSums,
      proposed: dryRunSums,
      /** Hash of the proposed run: the same terms and session give the same hash. */
      outputs_hash: z.string(),
    }),
    refusals: ['fee_plan_over_100', 'fee_plan_ranks', 'no_shared_session'],
  }),
};

/** Basis points in a whole. */
export const BPS = 10_000;

/** Fees for opening and settling a trade, in basis points of the amount and of the gain over it. */
export type FeeRates = { readonly tradeBps: number; readonly performanceBps: number };
