import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollEvery } from '../../api/poll.ts';

const POLL_MS = 5_000;

export const portfolioQuery = queryOptions({
  queryKey: ['portfolio'],
  queryFn: ({ signal }) => call(endpoints.trading.getPortfolio, { signal }),
  refetchInterval: pollEvery(POLL_MS),
});
