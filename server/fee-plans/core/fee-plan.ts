import type { FeeRates } from '#contract/fee-plan.ts';
import { BPS, type FeePlanTerms as PlanInDollars } from '#contract/fee-plan.ts';
import { toDollars, toMicros } from '#contract/money.ts';

/** What a rank takes and gives, in micros (docs/product.md, section 6, "Monthly income"). */
export type RankTerms = {
  /** Team volume of a month, legs capped. */
  readonly volume: bigint;
  /** Income of a month at most. */
  readonly monthly: bigint;
  /** Reward once in a lifetime at most. */
  readonly reward: bigint;
};

/** What a fee plan says (docs/product.md, section 6): rates and shares in basis points, amounts in micros. */
export type FeePlanTerms = {
  /** Of the amount, when a trade opens. */
  readonly tradeFeeBps: number;
  /** Of the gain over the amount, when it settles. */
  readonly performanceFeeBps: number;
  readonly withdrawalFeeBps: number;
  readonly withdrawalFeeMin: bigint;
  /** Shares of the trade fee, levels 1 to 10: `levelBps[0]` is the referral bonus. */
  readonly levelBps: readonly number[];
  /** Shares of the trade fee that the pools get. */
  readonly weeklyBps: number;
  readonly monthlyBps: number;
  readonly rewardsBps: number;
  /** Shares of the performance fee, levels 1 to 3. */
  readonly teamProfitBps: readonly number[];
  /** Active directs that the weekly income takes. */
  readonly weeklyMinDirects: number;
  /** The most of the weekly pool that one member gets. */
  readonly weeklyCapBps: number;
  /** The most of a rank's volume that one leg counts for. */
  readonly legCapBps: number;
  /** Bronze to Diamond. */
  readonly ranks: readonly RankTerms[];
};

/** A fee plan as it was written; never changed, only followed by one with a higher id. */
export type FeePlan = FeePlanTerms & { readonly id: number; readonly note: string; readonly createdAt: Date };

const sum = (shares: readonly number[]): number => shares.reduce((total, share) => total + share, 0);

/**
 * Whether a plan may be written: no fee is handed out more than once over, and each rank takes more than the one before
 * (docs/product.md, section 6). The database holds the same as constraints.
 *
 * The first plan hands out 2000 + 1000 + 600 + 400 + 300 + 200 + 200 + 100 + 100 + 100 to levels and 1000 + 1000 + 500 to
 * pools, 7500 of the 10 000 basis points of a trade fee, and 1500 + 1000 + 500 of those of a performance fee: undefined.
 * With 3501 for the weekly pool it would be 10 001: `fee_plan_over_100`. Silver at Bronze's volume is `fee_plan_ranks`.
 */
export function checkWaterfall(terms: FeePlanTerms): 'fee_plan_over_100' | 'fee_plan_ranks' | undefined {
  const ofTradeFee = sum(terms.levelBps) + terms.weeklyBps + terms.monthlyBps + terms.rewardsBps;
  if (ofTradeFee > BPS || sum(terms.teamProfitBps) > BPS) return 'fee_plan_over_100';
  const isRising = terms.ranks.every(({ volume }, index) => volume > (terms.ranks[index - 1]?.volume ?? 0n));
  return isRising ? undefined : 'fee_plan_ranks';
}

/** What settling and opening a trade need of a plan. */
export const ratesOf = ({ tradeFeeBps, performanceFeeBps }: FeePlanTerms): FeeRates => ({
  tradeBps: tradeFeeBps,
  performanceBps: performanceFeeBps,
});

/** The terms as a request carries them, in dollars: `withdrawal_fee_min: 1` is `1_000_000n`. */
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

/** The terms as a reply carries them, in dollars: what `readTerms` read. */
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
