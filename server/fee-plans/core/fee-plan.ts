import type { FeeRates } from '#contract/fee-plan.ts';
import { BPS, type FeePlanTerms as PlanInDollars } from '#contract/fee-plan.ts';
import { toDollars, toMicros } from '#contract/money.ts';

/** Requirement and payouts of a rank, in micros (docs/product.md, section 6, "Monthly income"). */
export type RankTerms = {
  /** Required team volume per month, with capped legs. */
  readonly volume: bigint;
  /** Maximum monthly income. */
  readonly monthly: bigint;
  /** Reward, paid at most once per member. */
  readonly reward: bigint;
};

/** Terms of a fee plan (docs/product.md, section 6): rates and shares in basis points, amounts in micros. */
export type FeePlanTerms = {
  /** Charged on the amount when a trade opens. */
  readonly tradeFeeBps: number;
  /** Charged on the gain when a trade settles. */
  readonly performanceFeeBps: number;
  readonly withdrawalFeeBps: number;
  readonly withdrawalFeeMin: bigint;
  /** Shares of the trade fee, levels 1 to 10: `levelBps[0]` is the referral bonus. */
  readonly levelBps: readonly number[];
  /** Shares of the trade fee paid into the pools. */
  readonly weeklyBps: number;
  readonly monthlyBps: number;
  readonly rewardsBps: number;
  /** Shares of the performance fee, levels 1 to 3. */
  readonly teamProfitBps: readonly number[];
  /** Active directs required for the weekly income. */
  readonly weeklyMinDirects: number;
  /** Maximum share of the weekly pool per member. */
  readonly weeklyCapBps: number;
  /** Maximum share of a rank's volume that one leg can contribute. */
  readonly legCapBps: number;
  /** Bronze to Diamond. */
  readonly ranks: readonly RankTerms[];
};

/** An immutable fee plan; a change is a new plan with a higher id. */
export type FeePlan = FeePlanTerms & { readonly id: number; readonly note: string; readonly createdAt: Date };

const sum = (shares: readonly number[]): number => shares.reduce((total, share) => total + share, 0);

/**
 * Refuses a plan that distributes more than 100 % of a fee, or whose ranks do not rise in volume (docs/product.md,
 * section 6). Database constraints state the same.
 *
 * The first plan distributes 2000 + 1000 + 600 + 400 + 300 + 200 + 200 + 100 + 100 + 100 to levels and 1000 + 1000 + 500
 * to pools, 7500 of the 10 000 basis points of a trade fee, and 1500 + 1000 + 500 of a performance fee: undefined. With
 * 3501 for the weekly pool it would be 10 001: `fee_plan_over_100`. Silver at Bronze's volume is `fee_plan_ranks`.
 */
export function checkWaterfall(terms: FeePlanTerms): 'fee_plan_over_100' | 'fee_plan_ranks' | undefined {
  const ofTradeFee = sum(terms.levelBps) + terms.weeklyBps + terms.monthlyBps + terms.rewardsBps;
  if (ofTradeFee > BPS || sum(terms.teamProfitBps) > BPS) return 'fee_plan_over_100';
  const isRising = terms.ranks.every(({ volume }, index) => volume > (terms.ranks[index - 1]?.volume ?? 0n));
  return isRising ? undefined : 'fee_plan_ranks';
}

/** The rates that opening and settling a trade use. */
export const ratesOf = ({ tradeFeeBps, performanceFeeBps }: FeePlanTerms): FeeRates => ({
  tradeBps: tradeFeeBps,
  performanceBps: performanceFeeBps,
});

/** Converts terms from API form, in dollars: `withdrawal_fee_min: 1` becomes `1_000_000n`. */
export const readTerms = (terms: PlanInDollars): FeePlanTerms => ({
  tradeFeeBps: terms.trade_fee_bps,
  performanceFeeBps: terms.performance_fee_bps,
  withdrawalFeeBps: terms.withdrawal_fee_bps,
  withdrawalFeeMin: toMicros(terms.withdrawal_fee_min),
  levelBps: terms.level_bps,
  weeklyBps: terms.weekly_bps,
  monthlyBps: terms.monthly_bps,
  rewardsBps: terms.rewards_bps,
  teamProfitBps: terms.team_profit_bps,
  weeklyMinDirects: terms.weekly_min_directs,
  weeklyCapBps: terms.weekly_cap_bps,
  legCapBps: terms.leg_cap_bps,
  ranks: terms.ranks.map(({ volume, monthly, reward }) => ({
    volume: toMicros(volume),
    monthly: toMicros(monthly),
    reward: toMicros(reward),
  })),
});

/** Converts terms to API form, in dollars; the inverse of `readTerms`. */
export const showTerms = (terms: FeePlanTerms): PlanInDollars => ({
  trade_fee_bps: terms.tradeFeeBps,
  performance_fee_bps: terms.performanceFeeBps,
  withdrawal_fee_bps: terms.withdrawalFeeBps,
  withdrawal_fee_min: toDollars(terms.withdrawalFeeMin),
  level_bps: [...terms.levelBps],
  weekly_bps: terms.weeklyBps,
  monthly_bps: terms.monthlyBps,
  rewards_bps: terms.rewardsBps,
  team_profit_bps: [...terms.teamProfitBps],
  weekly_min_directs: terms.weeklyMinDirects,
  weekly_cap_bps: terms.weeklyCapBps,
  leg_cap_bps: terms.legCapBps,
  ranks: terms.ranks.map(({ volume, monthly, reward }) => ({
    volume: toDollars(volume),
    monthly: toDollars(monthly),
    reward: toDollars(reward),
  })),
});
