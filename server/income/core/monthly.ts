import { BPS } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/**
 * What the volume that a rank takes put into a pool: the most that comes back out of it to whoever has the rank, so that
 * nobody can farm it (docs/product.md, section 6). A team that traded 10 000 $ in the month and whose trade fees put
 * 4 $ into the pool put 2 $ into it for the 5 000 $ that Bronze takes.
 *
 * @param put what the team's fees put into the pool, in basis points of a micro: Σ trade fees × the pool's share
 * @param teamVolume volume of levels 1 to 10, not 0 where a rank was reached
 */
export const contributedOf = (rank: {
  readonly required: bigint;
  readonly put: bigint;
  readonly teamVolume: bigint;
}): bigint => shareOf(rank.required, rank.put, rank.teamVolume * BigInt(BPS));

/** A rank's income of a month, or its reward, before it is scaled: up to what the plan says, and to what was contributed. */
export const nominalOf = (upTo: bigint, contributed: bigint): bigint => (upTo < contributed ? upTo : contributed);

/**
 * What is paid of a month's income when the pool is short (docs/product.md, section 6): all are scaled by the same
 * factor, pool ÷ total, and cut down to the micro. With 3 $ in the pool for 4 $ of all, 2 $ become 1.50 $; with 5 $
 * they stay 2 $.
 */
export const scaledOf = (nominal: bigint, pool: bigint, total: bigint): bigint =>
  pool < total ? shareOf(nominal, pool, total) : nominal;

/** That factor as a number for the screen: 0.75, or 1. Also of a month in which nobody got anything. */
export const scaleOf = (pool: bigint, total: bigint): number => (pool < total ? Number(pool) / Number(total) : 1);

/** Paid ÷ nominal, as every paid line says it; null where nothing was due. */
export const paidPart = (paid: bigint, nominal: bigint): number | null =>
  nominal === 0n ? null : Number(paid) / Number(nominal);
