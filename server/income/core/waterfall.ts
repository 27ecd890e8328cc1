import { BPS } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/** The fee plan's shares for the waterfall, in basis points (docs/product.md, section 6). */
export type FeeShares = {
  /** Shares of the trade fee, levels 1 to 10: level 1 is the referral bonus, the others the level bonus. */
  readonly levelBps: readonly number[];
  readonly weeklyBps: number;
  readonly monthlyBps: number;
  readonly rewardsBps: number;
  /** Shares of the performance fee, levels 1 to 3. */
  readonly teamProfitBps: readonly number[];
};

const WHOLE = BigInt(BPS);

/** Fees collected by a session, in micros. */
export type Collected = { readonly tradeFees: bigint; readonly performanceFees: bigint };

/**
 * The execution cost of a session, and its parts charged to each fee before any share, in micros (docs/product.md,
 * section 2, "Money flows").
 */
export type ExecutionCharge = {
  readonly executionCost: bigint;
  readonly tradeCost: bigint;
  readonly performanceCost: bigint;
};

/**
 * Charges the cost to trade fees first, then to performance fees; the house bears the rest.
 *
 * A cost of 25 with trade fees of 20 and performance fees of 3: 20 and 3, and the house loses 2.
 *
 * @param result the house's result of execution in the session; only a loss, below 0, is a cost
 */
export function chargeExecution({ tradeFees, performanceFees }: Collected, result: bigint): ExecutionCharge {
  const executionCost = result < 0n ? -result : 0n;
  const tradeCost = executionCost < tradeFees ? executionCost : tradeFees;
  const rest = executionCost - tradeCost;
  return { executionCost, tradeCost, performanceCost: rest < performanceFees ? rest : performanceFees };
}

/** `left` of `of`. */
export type Ratio = { readonly left: bigint; readonly of: bigint };
/** The part of the fees distributed after the execution cost, the same for every dollar of a fee. */
export type Shareable = { readonly ofTradeFees: Ratio; readonly ofPerformanceFees: Ratio };

export const allOfFees: Shareable = { ofTradeFees: { left: 1n, of: 1n }, ofPerformanceFees: { left: 1n, of: 1n } };

export const shareableOf = (
  { tradeFees, performanceFees }: Collected,
  { tradeCost, performanceCost }: ExecutionCharge,
): Shareable => ({
  ofTradeFees: { left: tradeFees - tradeCost, of: tradeFees },
  ofPerformanceFees: { left: performanceFees - performanceCost, of: performanceFees },
});

export type Bonuses = { readonly referralBonus: bigint; readonly levelBonus: bigint; readonly teamProfit: bigint };
export type HouseShares = {
  readonly poolWeekly: bigint;
  readonly poolMonthly: bigint;
  readonly poolRewards: bigint;
  readonly tradeRevenue: bigint;
  readonly performanceRevenue: bigint;
};

/**
 * The shares of pools and house: each pool gets its share of the trade fees less the execution cost, rounded down. The
 * house gets the rest: unallocated shares, shares that nobody qualified for, and rounding remainders (docs/product.md,
 * section 6). So cost and shares add up to the fee.
 *
 * Of 100 micros with 41 of bonuses, at 10, 10 and 5 %: 10, 10, 5 and the house 34.
 */
export function shareHouse(
  { tradeFees, performanceFees, tradeCost, performanceCost }: Collected & Omit<ExecutionCharge, 'executionCost'>,
  { referralBonus, levelBonus, teamProfit }: Bonuses,
  shares: FeeShares,
): HouseShares {
  const left = tradeFees - tradeCost;
  const fills = fillsOf(left, shares);
  const { poolWeekly, poolMonthly, poolRewards } = fills;
  return {
    ...fills,
    tradeRevenue: left - referralBonus - levelBonus - poolWeekly - poolMonthly - poolRewards,
    performanceRevenue: performanceFees - performanceCost - teamProfit,
  };
}

/** A session's fill of each pool in micros: its share of the trade fees less the execution cost, rounded down. */
export function fillsOf(
  left: bigint,
  { weeklyBps, monthlyBps, rewardsBps }: Pick<FeeShares, 'weeklyBps' | 'monthlyBps' | 'rewardsBps'>,
): Pick<HouseShares, 'poolWeekly' | 'poolMonthly' | 'poolRewards'> {
  const fill = (bps: number) => shareOf(left, BigInt(bps), WHOLE);
  return { poolWeekly: fill(weeklyBps), poolMonthly: fill(monthlyBps), poolRewards: fill(rewardsBps) };
}

type Flow = {
  readonly name: string;
  readonly share: keyof HouseShares;
  readonly from: 'trade_fees' | 'performance_fees';
  readonly to: 'pool_weekly' | 'pool_monthly' | 'pool_rewards' | 'fee_revenue';
  readonly reason: 'pool_weekly_fill' | 'pool_monthly_fill' | 'pool_rewards_fill' | 'fee_revenue';
};

const flows: readonly Flow[] = [
  { name: 'weekly-pool', share: 'poolWeekly', from: 'trade_fees', to: 'pool_weekly', reason: 'pool_weekly_fill' },
  { name: 'monthly-pool', share: 'poolMonthly', from: 'trade_fees', to: 'pool_monthly', reason: 'pool_monthly_fill' },
  { name: 'rewards-pool', share: 'poolRewards', from: 'trade_fees', to: 'pool_rewards', reason: 'pool_rewards_fill' },
  { name: 'trade-revenue', share: 'tradeRevenue', from: 'trade_fees', to: 'fee_revenue', reason: 'fee_revenue' },
  {
    name: 'performance-revenue',
    share: 'performanceRevenue',
    from: 'performance_fees',
    to: 'fee_revenue',
    reason: 'fee_revenue',
  },
];

type ClosedSession = { readonly day: string; readonly closesAt: Date };

/** Transfers of the execution cost, before any share; none without a cost. */
export const costTransfers = ({ day, closesAt }: ClosedSession, { tradeCost, performanceCost }: ExecutionCharge) =>
  (
    [
      ['trade', 'trade_fees', tradeCost],
      ['performance', 'performance_fees', performanceCost],
    ] as const
  )
    .filter(([, , micros]) => micros > 0n)
    .map(([name, from, amountMicros]) => ({
      key: `bonus/${day}/${name}-cost`,
      from: { class: from },
      to: { class: 'venue_result' as const },
      amountMicros,
      reason: 'execution_cost' as const,
      reference: `session ${day}`,
      marketAt: closesAt,
    }));

/** Transfers that empty `trade_fees` and `performance_fees`; none for a share of 0. */
export const houseTransfers = (session: ClosedSession, shares: HouseShares) =>
  flows
    .filter(({ share }) => shares[share] > 0n)
    .map(({ name, share, from, to, reason }) => ({
      key: `bonus/${session.day}/${name}`,
      from: { class: from },
      to: { class: to },
      amountMicros: shares[share],
      reason,
      reference: `session ${session.day}`,
      marketAt: session.closesAt,
    }));
