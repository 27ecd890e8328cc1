import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { dollarsOrNull, toDollars, toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, getFeePlan } from '#server/fee-plans/index.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { monthName } from '../core/periods.ts';
import { rankName } from '../core/rank.ts';
import { percentOf } from '../core/show-line.ts';
import { getMonthQualification } from '../periods/monthly.ts';
import { readPresent } from '../statement/read-present.ts';
import { countWaiting, listRewardRows, type RewardRow } from './reward-sql.ts';

/** The rank ladder: rewards reached, this month's progress towards the others, and the queue. */
export function listRewards({ db }: Context, memberId: bigint): Promise<DataOf<typeof income.listRewards>> {
  return inSnapshot(db, async (tx) => {
    const { period, plan } = await readPresent(tx, 'monthly');
    const month = period.startsOn;
    const { teamVolume, counted } = await getMonthQualification(tx, memberId, { month, ...plan });
    const reached = new Map((await listRewardRows(tx, memberId)).map((row) => [row.rank, row]));
    const highest = Math.max(...reached.keys());
    const waiting = await countWaiting(tx);
    const ranks: RewardRank[] = [];
    for (const [index, terms] of plan.ranks.entries()) {
      const row = reached.get(index + 1);
      const locked = showLocked(index + 1, terms, counted[index] as bigint);
      if (row !== undefined) ranks.push(await showReached(tx, row, plan));
      else ranks.push(index + 1 < highest ? { ...locked, state: 'passed' } : locked);
    }
    return {
      period: monthName(month),
      ranks,
      volume: toTotal(teamVolume),
      pool: toDollars(await getHouseBalance(tx, 'pool_rewards')),
      waiting: Number(waiting.count),
      waiting_amount: toDollars(waiting.nominal),
      leg_cap: percentOf(plan.legCapBps),
    };
  });
}

/** A rank's terms in the current plan. */
type RankTerms = { readonly volume: bigint; readonly reward: bigint };

/** A rank that was reached; later fee plans do not change its terms. */
export async function showReached(db: Db, row: RewardRow, current: FeePlan): Promise<RewardRank> {
  const plan = row.planId === null || row.planId === current.id ? current : await getFeePlan(db, row.planId);
  const { volume } = plan.ranks[row.rank - 1] as RankTerms;
  return {
    rank: rankName(row.rank),
    required: toDollars(volume),
    reached: toDollars(volume),
    reward: toDollars(row.nominal),
    contributed: dollarsOrNull(row.contributed),
    state: row.state,
    month: monthName(row.month),
    place: row.place === null ? null : Number(row.place),
    paid_at: row.paidAt?.toISOString() ?? null,
  };
}

/** A rank not yet reached, with this month's counted volume. */
const showLocked = (rank: number, { volume, reward }: RankTerms, counted: bigint): RewardRank => ({
  rank: rankName(rank),
  required: toDollars(volume),
  reached: toTotal(counted),
  reward: toDollars(reward),
  contributed: null,
  state: 'locked',
  month: null,
  place: null,
  paid_at: null,
});
