import { useQuery } from '@tanstack/react-query';
import { trading } from '#contract/endpoints.ts';
import { queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';
import { formatPercent } from '../../ui/format/number.ts';

export const portfolioQuery = queryOf(['portfolio'], trading.getPortfolio, { pollMs: 5_000 });

/**
 * Shown wherever results are shown (docs/product.md, section 1); empty while nobody has a settled trade.
 * `negativeMembers(0.6134) === '61.34% of members have lost money trading.'`
 */
export const negativeMembers = (share: number | null | undefined): string | null =>
  share === null || share === undefined ? null : t`${formatPercent(share * 100)} of members have lost money trading.`;

/** The sentence for pages that show results but nothing else of the portfolio. */
export const useNegativeMembers = (): string | null =>
  negativeMembers(useQuery(portfolioQuery).data?.totals.negative_members);
