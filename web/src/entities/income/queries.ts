import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollUnlessLive } from '../../api/poll.ts';

/** A session of an accelerated market is settled and shared every few minutes. */
export const SHARED_MS = 15_000;

/** Sums of each income by market day, week and month. */
export const earningsQuery = queryOptions({
  queryKey: ['income', 'earnings'],
  queryFn: ({ signal }) => call(endpoints.income.getEarnings, { signal }),
  refetchInterval: pollUnlessLive(SHARED_MS),
});

/** Months newest first, with the month under way, the ranks, and what the last months paid of what they said. */
export const monthsQuery = (cursor?: string) =>
  queryOptions({
    queryKey: ['income', 'months', cursor],
    queryFn: ({ signal }) => call(endpoints.income.listMonthly, { query: { cursor }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && pollUnlessLive(SHARED_MS),
  });
