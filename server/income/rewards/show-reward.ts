import type { RewardRank } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import { monthName } from '../core/periods.ts';
import { rankName } from '../core/rank.ts';
import type { RewardRow } from './reward-sql.ts';

/** What a rank takes and gives by the plan in force. */
export type RankTerms = { readonly volume: bigint; readonly reward: bigint };

/** A rank that was reached: its reward stays what it was made to be then, whatever later fee plans say. */
export const showReached = (row: RewardRow, { volume }: RankTerms): RewardRank => ({
  rank: rankName(row.rank),
  required: toDollars(volume),
  reached: toDollars(volume),
  reward: toDollars(row.nominal),
  state: row.state,
  month: monthName(row.month),
  place: row.place === null ? null : Number(row.place),
  paid_at: row.paidAt?.toISOString() ?? null,
});

/** A rank that was never reached: how much counts for it this month. */
export const showLocked = (rank: number, { volume, reward }: RankTerms, counted: bigint): RewardRank => ({
  rank: rankName(rank),
  required: toDollars(volume),
  reached: toDollars(counted),
  reward: toDollars(reward),
  state: 'locked',
  month: null,
  place: null,
  paid_at: null,
});
