/**
 * The rule of a week or month, stored with its run. Rule 1: qualifying members share the whole pool. Rule 2: each
 * dollar counts once, and the unclaimed rest of the fill is released (docs/product.md, section 6).
 */
export const SHARED_POOL = 1;
export const COUNTED_ONCE = 2;
export type PeriodRule = typeof SHARED_POOL | typeof COUNTED_ONCE;
