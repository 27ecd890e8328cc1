import { BPS } from '#contract/fee-plan.ts';
import type { missReasons } from '#contract/income.ts';
import { shareOf } from '#contract/money.ts';

/** What the waterfall needs of a fee plan, in basis points (docs/product.md, section 6). */
export type FeeShares = {
  /** Of the trade fee, levels 1 to 10: level 1 is the referral bonus, the others the level bonus. */
  readonly levelBps: readonly number[];
  readonly weeklyBps: number;
  readonly monthlyBps: number;
  readonly rewardsBps: number;
  /** Of the performance fee, levels 1 to 3. */
  readonly teamProfitBps: readonly number[];
};

type MissReason = (typeof missReasons)[number];

/** How somebody stands whose team traded, at the close of the session. */
export type Beneficiary = {
  readonly isCompany: boolean;
  /** The account was closed before the session (docs/product.md, section 8). */
  readonly isClosed: boolean;
  /** A trade settled in the last 30 days, this session included. */
  readonly isActive: boolean;
  readonly activeDirects: bigint;
};

/**
 * Why a level pays a beneficiary nothing, or undefined when it pays (docs/product.md, section 6): the company and
 * closed accounts earn nothing, level n takes an active member with n active directs, and level 1 an active one. With 3
 * active directs level 3 pays, and level 4 is missed for `directs`. `beneficiaryReason` in `waterfall-sql.ts` says the
 * same in SQL; a test compares them.
 */
export function findMissReason(
  { isCompany, isClosed, isActive, activeDirects }: Beneficiary,
  level: number,
): MissReason | undefined {
  if (isCompany) return 'company';
  if (isClosed) return 'closed';
  if (!isActive) return 'inactive';
  return level > 1 && activeDirects < BigInt(level) ? 'directs' : undefined;
}

/** What those at one level below a beneficiary paid in fees, in micros. */
type LevelFees = { readonly level: number; readonly tradeFees: bigint; readonly performanceFees: bigint };
type LevelShare = {
  readonly level: number;
  readonly bonus: bigint;
  readonly teamProfit: bigint;
  readonly reason: MissReason | undefined;
};

/**
 * What each level of a session gives one beneficiary. There are three transfers at most, each rounded down once: the
 * referral bonus (level 1), the level bonus (levels 2 to 10 together) and team profit (levels 1 to 3 together). A level's
 * amount is by how much it raises the rounded sum of the levels up to it, so that the lines add up to the transfer exactly.
 *
 * Level 2 with fees of 199 micros and level 3 with 199, at 10 % and 6 %: 19.9 and 11.94 make a transfer of 31; the lines are
 * 19 and 12. Of a session whose execution cost a quarter of the trade fees, 23.88 are shared: the lines are 14 and 9.
 * `bonusLines` in `waterfall-sql.ts` says the same in SQL; a test compares them.
 *
 * @param levels in rising order, with the fees as they were collected
 * @param shareable what of the session's fees is shared at all
 */
export function shareLevels(
  levels: readonly LevelFees[],
  beneficiary: Beneficiary,
  { levelBps, teamProfitBps }: FeeShares,
  { ofTradeFees, ofPerformanceFees }: Shareable = allOfFees,
): LevelShare[] {
  const referral = cumulated(ofTradeFees);
  const level = cumulated(ofTradeFees);
  const profit = cumulated(ofPerformanceFees);
  return levels.map((fees) => {
    const reason = findMissReason(beneficiary, fees.level);
    const partOf = (micros: bigint, bps: number | undefined) => (reason === undefined ? micros * BigInt(bps ?? 0) : 0n);
    const bonusPart = partOf(fees.tradeFees, levelBps[fees.level - 1]);
    return {
      level: fees.level,
      bonus: fees.level === 1 ? referral(bonusPart) : level(bonusPart),
      teamProfit: profit(partOf(fees.performanceFees, teamProfitBps[fees.level - 1])),
      reason,
    };
  });
}

const WHOLE = BigInt(BPS);

/** Adds up parts in ten-thousandths of a micro. @returns by how many whole micros each raises what is left of the sum */
function cumulated({ left, of }: Ratio): (part: bigint) => bigint {
  const shareable = (parts: bigint) => (left === of ? parts / WHOLE : (parts * left) / (WHOLE * of));
  let sum = 0n;
  return (part) => {
    const before = shareable(sum);
    sum += part;
    return shareable(sum) - before;
  };
}

/** What a session collected, and what of it went to members, in micros. */
export type Collected = { readonly tradeFees: bigint; readonly performanceFees: bigint };

/**
 * What the execution of a session cost, and what of it the fees bear, in micros: it comes before every share (docs/product.md,
 * section 2, "Money flows").
 */
export type ExecutionCharge = {
  readonly executionCost: bigint;
  readonly tradeCost: bigint;
  readonly performanceCost: bigint;
};

/**
 * Trade fees bear the cost first, then performance fees, as far as they reach; what they do not reach stays the house's.
 *
 * A cost of 25 with trade fees of 20 and performance fees of 3: 20 and 3, and the house has lost 2.
 *
 * @param result what the exchange brought the house in the session, below zero what it took; a gain is no cost
 */
export function chargeExecution({ tradeFees, performanceFees }: Collected, result: bigint): ExecutionCharge {
  const executionCost = result < 0n ? -result : 0n;
  const tradeCost = executionCost < tradeFees ? executionCost : tradeFees;
  const rest = executionCost - tradeCost;
  return { executionCost, tradeCost, performanceCost: rest < performanceFees ? rest : performanceFees };
}

/** `left` of `of`. */
export type Ratio = { readonly left: bigint; readonly of: bigint };
/** What of the fees is shared once execution is paid for: of each dollar of them the same part. */
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
 * What is not the members': each pool its share of all trade fees less the execution cost, rounded down, and the house the rest, be it nobody's
 * share, one that nobody qualified for, or what rounding left (docs/product.md, section 6). So cost and shares of a fee
 * are the fee.
 *
 * Of 100 micros, 41 of them bonuses, at 10, 10 and 5 %: 10, 10, 5 and the house 34.
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

/** What a session's trade fees, less the execution cost, fill each pool with: its share of them, rounded down. Micros. */
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

/** The transfers that come before every share; none without a cost. */
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

/** The transfers that leave nothing in `trade_fees` and `performance_fees`; none for a share of nothing. */
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
