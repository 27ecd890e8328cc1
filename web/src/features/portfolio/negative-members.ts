import { formatPercent } from '../../ui/format/percent.ts';

/**
 * Stands wherever results are shown (docs/product.md, section 1); nothing is said while nobody has a settled trade.
 * `negativeMembers(0.6134) === '61.34% of members have a negative trading result.'`
 */
export const negativeMembers = (share: number | null | undefined): string | null =>
  share === null || share === undefined
    ? null
    : `${formatPercent(share * 100)} of members have a negative trading result.`;
