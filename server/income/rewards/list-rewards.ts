import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { toDollars, toVolume } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { monthName, monthOf } from '../core/periods.ts';
import { rankName } from '../core/rank.ts';
import { percentOf } from '../core/show-line.ts';
import { getMonthQualification } from '../periods/monthly.ts';
import { readPresent } from '../statement/read-present.ts';
import { countWaiting, listRewardRows, type RewardRow } from './reward-sql.ts';

/** The rank ladder: rewards that were reached, progress of this month towards the others, and the line. */
export function listRewards({ db }: Context, memberId: bigint): Promise<DataOf<typeof income.listRewards>> {
  return inSnapshot(db, async (tx) => {
    const { today, plan } = await readPresent(tx);
    const month = monthOf(today).startsOn;
    const { teamVolume, counted } = await getMonthQualification(tx, memberId, { month, ...plan });
    const reached = new Map((await listRewardRows(tx, memberId)).map((row) => [row.rank, row]));
    const highest = Math.max(...reached.keys());
    const waiting = await countWaiting(tx);
    return {
      period: monthName(month),
      ranks: plan.ranks.map((terms, index) => {
        const row = reached.get(index + 1);
        if (row !== undefined) return showReached(row, terms);
        const locked = showLocked(index + 1, terms, counted[index] as bigint);
        return index + 1 < highest ? { ...locked, state: 'passed' } : locked;
      }),
      volume: toVolume(teamVolume),
      pool: toDollars(await getHouseBalance(tx, 'pool_rewards')),
      waiting: Number(waiting.count),
      waiting_amount: toDollars(waiting.nominal),
      leg_cap: percentOf(plan.legCapBps),
    };
  });
}

/** What a rank takes and gives by the plan in force. */
export type RankTerms = { readonly volume: bigint; readonly reward: bigint };

/** A rank that was reached: its reward stays what it was made to be then, whatever later fee plans say. */
export const showReached = (row: RewardRow, { volume }: RankTerms): RewardRank => ({
  rank: rankName(row.rank),
  required: toDollars(volume),
  reached: toDollars(volume),
  reward: toDollars(row.nominal),
  contributed: row.contributed === null ? null : toDollars(row.contributed),
  state: row.state,
  month: monthName(row.month),
  place: row.place === null ? null : Number(row.place),
  paid_at: row.paidAt?.toISOString() ?? null,
});

/** A rank that was never reached: how much counts for it this month. */
const showLocked = (rank: number, { volume, reward }: RankTerms, counted: bigint): RewardRank => ({
  rank: rankName(rank),
  required: toDollars(volume),
  reached: toVolume(counted),
  reward: toDollars(reward),
  contributed: null,
  state: 'locked',
  month: null,
  place: null,
  paid_at: null,
});
