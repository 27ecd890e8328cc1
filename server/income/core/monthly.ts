import { BPS } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/**
 * The pool contribution of the volume that a rank requires. It limits what the rank pays, so that ranks cannot be
 * farmed (docs/product.md, section 6). A team that traded $10,000 in the month and contributed $4 to the pool has
 * contributed $2 for the $5,000 that Bronze requires.
 *
 * @param put the team's contribution to the pool, in basis points of a micro: Σ trade fees × the pool's share
 * @param teamVolume volume of levels 1 to 10, not 0 where a rank was reached
 */
export const contributedOf = (rank: {
  readonly required: bigint;
  readonly put: bigint;
  readonly teamVolume: bigint;
}): bigint => shareOf(rank.required, rank.put, rank.teamVolume * BigInt(BPS));

/** A rank's monthly income or reward before scaling: the smaller of the plan's amount and the contribution. */
export const nominalOf = (upTo: bigint, contributed: bigint): bigint => (upTo < contributed ? upTo : contributed);

/**
 * The paid amount of a monthly income when the pool is short (docs/product.md, section 6): all are scaled by pool ÷
 * total and rounded down to the micro. With $3 in the pool for a total of $4, $2 become $1.50; with $5 in the pool they
 * stay $2.
 */
export const scaledOf = (nominal: bigint, pool: bigint, total: bigint): bigint =>
  pool < total ? shareOf(nominal, pool, total) : nominal;

/** The scaling factor for display: 0.75, or 1 when not scaled or nothing was due. */
export const scaleOf = (pool: bigint, total: bigint): number => (pool < total ? Number(pool) / Number(total) : 1);

/** Paid ÷ nominal for display; null when nothing was due. */
export const paidPart = (paid: bigint, nominal: bigint): number | null =>
  nominal === 0n ? null : Number(paid) / Number(nominal);
