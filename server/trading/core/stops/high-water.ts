/** A mark that no later mark of its asset reached. */
export type High = { readonly symbol: string; readonly price: string; readonly at: Date };

/**
 * The highest mark of an asset since an instant, that instant included; undefined when there was none. Highs come with
 * the highest, which is the oldest, of each asset first: what was passed by a later mark is not among them.
 *
 * Highs of 103 at 12:40 and 101 at 12:55: since 12:30 the highest is 103, since 12:41 it is 101.
 */
export const highestSince = (highs: readonly High[], symbol: string, since: Date): string | undefined =>
  highs.find((high) => high.symbol === symbol && high.at >= since)?.price;
