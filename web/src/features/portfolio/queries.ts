import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';
import { pollEvery } from '../../shared/poll.ts';

const POLL_MS = 5_000;

export const portfolioQuery = queryOptions({
  queryKey: ['portfolio'],
  queryFn: ({ signal }) => call(endpoints.trading.getPortfolio, { signal }),
  refetchInterval: pollEvery(POLL_MS),
});
