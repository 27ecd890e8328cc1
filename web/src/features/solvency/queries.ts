import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';
import { pollEvery } from '../../shared/poll.ts';

const POLL_MS = 30_000;

export const solvencyQuery = queryOptions({
  queryKey: ['solvency'],
  queryFn: ({ signal }) => call(endpoints.solvency.getSolvency, { signal }),
  refetchInterval: pollEvery(POLL_MS),
});
