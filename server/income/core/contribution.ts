import { shareOf } from '#contract/money.ts';

/**
 * The rule of a week or month, fixed with its row. By the first, those who qualify share the whole pool; by the second a dollar counts
 * once, and what nobody gets of the fill is released (docs/product.md, section 6).
 */
export const SHARED_POOL = 1;
export const COUNTED_ONCE = 2;
export type PeriodRule = typeof SHARED_POOL | typeof COUNTED_ONCE;

/**
 * What a trader's fees put into a pool in a session: floor(fee × fill ÷ the session's fees). Of fees of 10 $ that fill a pool with
 * 1 $, a fee of 0.40 $ put in 0.04 $.
 */
export const putOf = (session: { readonly fee: bigint; readonly fees: bigint; readonly fill: bigint }): bigint =>
  session.fees === 0n ? 0n : shareOf(session.fee, session.fill, session.fees);

/** What a trader's fees put into a pool in all sessions of a period, and the ids of those above, ten at most. */
export type PoolTrader = { readonly put: bigint; readonly upline: readonly bigint[] };

/**
 * What each who qualifies contributed: of each trader below, floor(put ÷ k), with k the number of those who qualify among the ten above.
 * What nobody above qualifies for, and what rounding leaves, is nobody's. So all parts together are never more than all puts.
 *
 * 4 dollars put in by a trader with two who qualify above are 2 dollars for each of them; with one, 4 dollars for that one.
 *
 * `contributions` in `periods/contribution-sql.ts` says the same in SQL; a test compares the two.
 */
export function contributionsOf(
  traders: readonly PoolTrader[],
  qualified: ReadonlySet<bigint>,
): ReadonlyMap<bigint, bigint> {
  const parts = new Map([...qualified].map((id) => [id, 0n]));
  for (const { put, upline } of traders) {
    const sharers = upline.filter((id) => qualified.has(id));
    if (sharers.length === 0) continue;
    const part = put / BigInt(sharers.length);
    for (const id of sharers) parts.set(id, (parts.get(id) ?? 0n) + part);
  }
  return parts;
}

/** What is paid of a contributed part: of a week at most the cap of its fill, of a month at most what the rank gives. */
export const upTo = (contributed: bigint, most: bigint): bigint => (contributed < most ? contributed : most);
