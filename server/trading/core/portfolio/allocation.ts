/** A part of what a member has, in micros. */
export type Allocated = { readonly value: bigint };

const SHARE_DECIMALS = 6;
const ONE = 10n ** BigInt(SHARE_DECIMALS);

/**
 * The parts that are not empty, largest first, each with its share of the whole (0 to 1, cut after 6 decimals, so that
 * shares never sum to more than 1).
 *
 * 750 in the primary wallet and 250 in btc: shares 0.75 and 0.25.
 */
export function allocate<Part extends Allocated>(parts: readonly Part[]): (Part & { readonly share: number })[] {
  const filled = parts.filter((part) => part.value > 0n);
  const whole = filled.reduce((sum, part) => sum + part.value, 0n);
  return filled
    .toSorted((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1))
    .map((part) => ({ ...part, share: Number((part.value * ONE) / whole) / Number(ONE) }));
}
