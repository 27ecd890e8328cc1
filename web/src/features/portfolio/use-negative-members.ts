import { useQuery } from '@tanstack/react-query';
import { negativeMembers } from './negative-members.ts';
import { portfolioQuery } from './queries.ts';

/** The sentence for pages that show results and nothing else of the portfolio. */
export function useNegativeMembers(): string | null {
  const { data } = useQuery(portfolioQuery);
  return negativeMembers(data?.totals.negative_members);
}
