import type { FeeRates } from '#contract/fee-plan.ts';

/** What the results of a session rest on, and what they came to. */
export type RunDigest = {
  /** `2026-03-04` */
  readonly day: string;
  /** Basis points; null for a session that closed before it was open. */
  readonly rates: FeeRates | null;
  /** The closing marks in the order of their symbols, as decimal text of 12 places. */
  readonly marks: readonly { readonly symbol: string; readonly mark: string; readonly closePrice: string }[];
  /** What the exchange filled, in the order of the batches; none on paper. */
  readonly batches: readonly DigestBatch[];
  /** Hexadecimal hashes of the blocks of members of which somebody traded, in the order of their ids. */
  readonly blocks: readonly string[];
};

/** One batch: what was filled with its fee, and the prices that follow from it; decimal text without trailing zeros, `-` for none. */
export type DigestBatch = {
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly cost: string;
  readonly coins: string;
  readonly dollars: string;
  readonly buyPrice: string;
  readonly sellPrice: string;
};

/** Members of one block of results. Part of what a manifest means: with other blocks the same results hash differently. */
const BLOCK_MEMBERS = 4096n;

/** Members `after < id <= upTo`, the block they are and its number. */
export type MemberBatch = { readonly no: bigint; readonly after: bigint; readonly upTo: bigint };

/**
 * The block a member is in. Member 5000 is in `{ no: 1n, after: 4095n, upTo: 8191n }`.
 */
export function batchOf(memberId: bigint): MemberBatch {
  const no = memberId / BLOCK_MEMBERS;
  const after = no * BLOCK_MEMBERS - 1n;
  return { no, after, upTo: after + BLOCK_MEMBERS };
}

/**
 * The text whose sha256 is a session's manifest hash: the same seed and candles give the same one, whatever engine, chunks
 * and crashes there were, because no ids and no real times are in it (docs/product.md, section 3). A session of
 * 2026-03-04 at 0.4 % and 10 % with btc closing at 102:
 *
 * ```
 * session 2026-03-04
 * rates 40 1000
 * mark btc 102.000000000000 101.949000000000
 * batch btc buy 0.02 1000.5 0.02 1001.5005 50100.062512500000 -
 * block 9f86d081884c7d65…
 * ```
 */
export function digestText({ day, rates, marks, batches, blocks }: RunDigest): string {
  return [
    `session ${day}`,
    rates === null ? 'rates none' : `rates ${rates.tradeBps} ${rates.performanceBps}`,
    ...marks.map(({ symbol, mark, closePrice }) => `mark ${symbol} ${mark} ${closePrice}`),
    ...batches.map(
      ({ symbol, side, quantity, cost, coins, dollars, buyPrice, sellPrice }) =>
        `batch ${symbol} ${side} ${quantity} ${cost} ${coins} ${dollars} ${buyPrice} ${sellPrice}`,
    ),
    ...blocks.map((hash) => `block ${hash}`),
    '',
  ].join('\n');
}
