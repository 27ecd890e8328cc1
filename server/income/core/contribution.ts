import { shareOf } from '#contract/money.ts';

/**
 * The rule of a week or month, stored with its run. Rule 1: qualifying members share the whole pool. Rule 2: each
 * dollar counts once, and the unclaimed rest of the fill is released (docs/product.md, section 6).
 */
export const SHARED_POOL = 1;
export const COUNTED_ONCE = 2;
export type PeriodRule = typeof SHARED_POOL | typeof COUNTED_ONCE;

/**
 * A trader's contribution to a pool in a session: floor(fee × fill ÷ the session's fees). With fees of $10 and a fill
 * of $1, a fee of $0.40 contributes $0.04.
 */
export const poolContributionOf = (session: {
  readonly fee: bigint;
  readonly fees: bigint;
  readonly fill: bigint;
}): bigint => (session.fees === 0n ? 0n : shareOf(session.fee, session.fill, session.fees));

/** A trader's contribution to a pool in all sessions of a period, and up to ten ancestors. */
export type PoolTrader = { readonly contribution: bigint; readonly upline: readonly bigint[] };

/**
 * The contributed part of each qualifying member: for each trader below, floor(contribution ÷ k), where k is the number
 * of qualifying members among the trader's ten ancestors. Contributions without one, and rounding remainders, are
 * assigned to nobody, so the parts never exceed the contributions.
 *
 * $4 contributed by a trader with two qualifying ancestors are $2 for each of them; with one, $4 for that one.
 *
 * `contributions` in `periods/contribution-sql.ts` computes the same in SQL; a test compares the two.
 */
export function contributedPartsOf(
  traders: readonly PoolTrader[],
  qualified: ReadonlySet<bigint>,
): ReadonlyMap<bigint, bigint> {
  const parts = new Map([...qualified].map((id) => [id, 0n]));
  for (const { contribution, upline } of traders) {
    const sharers = upline.filter((id) => qualified.has(id));
    if (sharers.length === 0) continue;
    const part = contribution / BigInt(sharers.length);
    for (const id of sharers) parts.set(id, (parts.get(id) ?? 0n) + part);
  }
  return parts;
}

/** The paid amount of a contributed part: limited by the cap of a week's fill, or by the rank's monthly income. */
export const upTo = (contributed: bigint, most: bigint): bigint => (contributed < most ? contributed : most);
