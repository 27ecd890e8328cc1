import type { Bonuses, Collected, ExecutionCharge, FeeShares, HouseShares } from './waterfall.ts';

/** What a bonus run rests on. */
export type RunInputs = {
  /** `2026-03-04` */
  readonly day: string;
  readonly feePlanId: number;
  readonly shares: FeeShares;
  /** What the session's execution cost, in micros. */
  readonly executionCost: bigint;
  /** Hexadecimal hashes of the blocks of members who traded, in the order of their ids. */
  readonly blocks: readonly string[];
};

/** What it came to. */
export type RunOutputs = Collected &
  ExecutionCharge &
  Bonuses &
  HouseShares & {
    readonly day: string;
    /** Hexadecimal hashes of the blocks of beneficiaries' lines, in the order of their ids. */
    readonly blocks: readonly string[];
  };

/**
 * The text whose sha256 is a run's `inputs_hash`. There are ids of members in it, who are part of what was shared out, but
 * none of rows, and no real times, so that the same session gives the same one on any engine, whatever was killed meanwhile:
 *
 * ```
 * session 2026-03-04
 * plan 1
 * levels 2000 1000 600 400 300 200 200 100 100 100
 * pools 1000 1000 500
 * team profit 1500 1000 500
 * block 9f86d081884c7d65…
 * ```
 *
 * A session whose execution cost something says so after the team profit: `execution cost 140000`.
 */
export function inputsText({ day, feePlanId, shares, executionCost, blocks }: RunInputs): string {
  return [
    `session ${day}`,
    `plan ${feePlanId}`,
    `levels ${shares.levelBps.join(' ')}`,
    `pools ${shares.weeklyBps} ${shares.monthlyBps} ${shares.rewardsBps}`,
    `team profit ${shares.teamProfitBps.join(' ')}`,
    ...(executionCost === 0n ? [] : [`execution cost ${executionCost}`]),
    ...blocks.map((hash) => `block ${hash}`),
    '',
  ].join('\n');
}

/**
 * The text whose sha256 is a run's `outputs_hash`, amounts in micros:
 *
 * ```
 * session 2026-03-04
 * block 9f86d081884c7d65…
 * trade fees 1000000 to referral 200000 level 100000 pools 100000 100000 50000 revenue 450000
 * performance fees 0 to team profit 0 revenue 0
 * ```
 *
 * Before the fees, if execution cost something: `execution cost 140000 from trade fees 140000 performance fees 0`.
 */
export function outputsText(run: RunOutputs): string {
  return [
    `session ${run.day}`,
    ...run.blocks.map((hash) => `block ${hash}`),
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
