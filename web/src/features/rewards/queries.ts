import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Rank } from '#contract/fee-plan.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollUnlessLive } from '../../api/poll.ts';
import { useRefreshOwn } from '../../api/trading-queries.ts';
import { SHARED_MS } from '../../entities/income/queries.ts';

/** The rank ladder with progress, and the line before the pool. */
export const rewardsQuery = queryOptions({
  queryKey: ['income', 'rewards'],
  queryFn: ({ signal }) => call(endpoints.income.listRewards, { signal }),
  refetchInterval: pollUnlessLive(SHARED_MS),
});

/** The client keeps the key of a request that got no answer, so that pressing twice is one claim. */
export function useClaimReward() {
  const refresh = useRefreshOwn();
  return useMutation({
    mutationFn: (rank: Rank) => call(endpoints.income.claimReward, { body: { rank } }),
    // Also after a refusal: it was claimed elsewhere meanwhile, and the ladder must say so.
    onSettled: () => void refresh(),
  });
}
