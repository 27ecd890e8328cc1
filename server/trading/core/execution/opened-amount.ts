const BPS = 10_000n;

/**
 * The amount of a partially filled trade whose position is worth this much after its fee. 99.6 dollars at 0.4 %: 100.
 * Rounded down: the largest whose position does not exceed what was filled, because the fee is rounded down as well.
 */
export const openedAmount = (netMicros: bigint, tradeBps: number): bigint =>
  (netMicros * BPS) / (BPS - BigInt(tradeBps));
