import { BPS, type Rank, ranks } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/** A rank by its number: Bronze 1 to Diamond 5. `rankName(1) === 'bronze'` */
export const rankName = (rank: number): Rank => ranks[rank - 1] as Rank;
export const rankNumber = (rank: Rank): number => ranks.indexOf(rank) + 1;

/** As a sentence has it: `rankTitle('gold') === 'Gold'` */
export const rankTitle = (rank: Rank): string => `${rank.charAt(0).toUpperCase()}${rank.slice(1)}`;

/**
 * The most one leg counts for a rank (docs/product.md, section 6): for Bronze, 5 000 $, at 6000 basis points, 3 000 $.
 */
export const legCap = (required: bigint, legCapBps: number): bigint =>
  shareOf(required, BigInt(legCapBps), BigInt(BPS));

/** What of a leg counts for a rank: a leg of 4 000 $ counts 3 000 $ for Bronze, one of 2 000 $ counts whole. */
export function countedOf(leg: bigint, required: bigint, legCapBps: number): bigint {
  const cap = legCap(required, legCapBps);
  return leg < cap ? leg : cap;
}

/**
 * What of a member's team counts for a rank: Σ min(leg, 60 % of what the rank takes). For Bronze, legs of 4 000 $ and 2 000 $
 * count 3 000 $ + 2 000 $ = 5 000 $, which is Bronze; one leg of a million counts 3 000 $, which is not.
 *
 * `countedByRank` in `periods/monthly.ts` says the same in SQL; a test compares the two.
 *
 * @param legs volume of each direct with the direct's levels 1 to 9, micros
 */
export const countedVolume = (legs: readonly bigint[], required: bigint, legCapBps: number): bigint =>
  legs.reduce((sum, leg) => sum + countedOf(leg, required, legCapBps), 0n);

/** What a rank takes, and what of a team counts for it. */
export type RankProgress = { readonly required: bigint; readonly counted: bigint };

/** The highest rank whose rule holds, Bronze 1 to Diamond 5; undefined below Bronze. */
export function findRank(progress: readonly RankProgress[]): number | undefined {
  const index = progress.findLastIndex(({ required, counted }) => counted >= required);
  return index < 0 ? undefined : index + 1;
}

/** The rank above, which counts legs by its own cap; undefined above Diamond. */
export const findNextRank = (rank: number | undefined): number | undefined =>
  rank === ranks.length ? undefined : (rank ?? 0) + 1;
