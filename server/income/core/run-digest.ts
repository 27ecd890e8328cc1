import type { Bonuses, Collected, ExecutionCharge, FeeShares, HouseShares } from './waterfall.ts';

/** Inputs of a bonus run. */
export type RunInputs = {
  /** `2026-03-04` */
  readonly day: string;
  readonly feePlanId: number;
  readonly shares: FeeShares;
  /** Execution cost of the session, in micros. */
  readonly executionCost: bigint;
  /** Hexadecimal hashes of the batches of traders, in id order. */
  readonly batches: readonly string[];
};

/** Outputs of a bonus run. */
export type RunOutputs = Collected &
  ExecutionCharge &
  Bonuses &
  HouseShares & {
    readonly day: string;
    /** Hexadecimal hashes of the batches of beneficiaries' lines, in id order. */
    readonly batches: readonly string[];
  };

/**
 * The text whose SHA-256 is a run's `inputs_hash`. It covers member ids, but no row ids and no real times, so that the
 * same session gives the same hash on any engine and after any interruption:
 *
 * ``` session 2026-03-04 plan 1 levels 2000 1000 600 400 300 200 200 100 100 100 pools 1000 1000 500 team profit 1500
 * 1000 500 block 9f86d081884c7d65… ```
 *
 * A session with an execution cost has another line after the team profit: `execution cost 140000`.
 */
export function inputsText({ day, feePlanId, shares, executionCost, batches }: RunInputs): string {
  return [
    `session ${day}`,
    `plan ${feePlanId}`,
    `levels ${shares.levelBps.join(' ')}`,
    `pools ${shares.weeklyBps} ${shares.monthlyBps} ${shares.rewardsBps}`,
    `team profit ${shares.teamProfitBps.join(' ')}`,
    ...(executionCost === 0n ? [] : [`execution cost ${executionCost}`]),
    ...batches.map((hash) => `block ${hash}`),
    '',
  ].join('\n');
}

/**
 * The text whose SHA-256 is a run's `outputs_hash`, amounts in micros:
 *
 * ```
 * session 2026-03-04
 * block 9f86d081884c7d65…
 * trade fees 1000000 to referral 200000 level 100000 pools 100000 100000 50000 revenue 450000
 * performance fees 0 to team profit 0 revenue 0
 * ```
 *
 * With an execution cost, before the fees: `execution cost 140000 from trade fees 140000 performance fees 0`.
 */
export function outputsText(run: RunOutputs): string {
  return [
    `session ${run.day}`,
    ...run.batches.map((hash) => `block ${hash}`),
    ...(run.executionCost === 0n
      ? []
      : [
          `execution cost ${run.executionCost} from trade fees ${run.tradeCost} performance fees ${run.performanceCost}`,
        ]),
    `trade fees ${run.tradeFees} to referral ${run.referralBonus} level ${run.levelBonus} pools ${run.poolWeekly} ${run.poolMonthly} ${run.poolRewards} revenue ${run.tradeRevenue}`,
    `performance fees ${run.performanceFees} to team profit ${run.teamProfit} revenue ${run.performanceRevenue}`,
    '',
  ].join('\n');
}
