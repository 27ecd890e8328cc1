import type { FeeRates } from '#contract/fee-plan.ts';

/** Inputs and results of a session. */
export type RunDigest = {
  /** `2026-03-04` */
  readonly day: string;
  /** Basis points; null for a session that closed before opening. */
  readonly rates: FeeRates | null;
  /** Closing marks in the order of their symbols, as decimal text with 12 places. */
  readonly marks: readonly { readonly symbol: string; readonly mark: string; readonly closePrice: string }[];
  /** Fills at the exchange, in batch order; none on paper. */
  readonly batches: readonly DigestBatch[];
  /** Hexadecimal hashes of the member batches in which anyone traded, in the order of ids. */
  readonly blocks: readonly string[];
};

/** The fills of one batch with their fee, and its prices; decimal text without trailing zeros, `-` for none. */
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

/** Members per batch. Part of the digest's definition: another size hashes the same results differently. */
const BLOCK_MEMBERS = 4096n;

/** Members with `after < id <= upTo`, and the number of their batch. */
export type MemberBatch = { readonly no: bigint; readonly after: bigint; readonly upTo: bigint };

/** The batch of a member. Member 5000 is in `{ no: 1n, after: 4095n, upTo: 8191n }`. */
export function batchOf(memberId: bigint): MemberBatch {
  const no = memberId / BLOCK_MEMBERS;
  const after = no * BLOCK_MEMBERS - 1n;
  return { no, after, upTo: after + BLOCK_MEMBERS };
}

/**
 * The text whose sha256 is a session's manifest hash. The same seed and candles give the same hash regardless of
 * engine, chunks and crashes, because it contains no ids and no wall-clock times (docs/product.md, section 3). A
 * session of 2026-03-04 at 0.4 % and 10 % with btc closing at 102:
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
