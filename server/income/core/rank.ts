import { BPS, type Rank, ranks } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/** A rank by its number: Bronze 1 to Diamond 5. `rankName(1) === 'bronze'` */
export const rankName = (rank: number): Rank => ranks[rank - 1] as Rank;
export const rankNumber = (rank: Rank): number => ranks.indexOf(rank) + 1;

/** For display: `rankTitle('gold') === 'Gold'` */
export const rankTitle = (rank: Rank): string => `${rank.charAt(0).toUpperCase()}${rank.slice(1)}`;

/** Maximum volume of one leg for a rank (docs/product.md, section 6): for Bronze, $5,000 at 6000 bps, $3,000. */
export const legCap = (required: bigint, legCapBps: number): bigint =>
  shareOf(required, BigInt(legCapBps), BigInt(BPS));

/** The capped volume of a leg: for Bronze a leg of $4,000 counts $3,000, and one of $2,000 counts in full. */
export function countedOf(leg: bigint, required: bigint, legCapBps: number): bigint {
  const cap = legCap(required, legCapBps);
  return leg < cap ? leg : cap;
}

/** Required and counted volume of a rank. */
export type RankProgress = { readonly required: bigint; readonly counted: bigint };

/** The highest rank reached, Bronze 1 to Diamond 5; undefined below Bronze. */
export function findRank(progress: readonly RankProgress[]): number | undefined {
  const index = progress.findLastIndex(({ required, counted }) => counted >= required);
  return index < 0 ? undefined : index + 1;
}

/** The next rank, which has its own leg cap; undefined above Diamond. */
export const findNextRank = (rank: number | undefined): number | undefined =>
  rank === ranks.length ? undefined : (rank ?? 0) + 1;
