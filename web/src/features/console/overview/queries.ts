import { type Query, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { integrity } from '#contract/operator/integrity.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { overviewQuery } from '../shell/queries.ts';

const RUNNING_POLL_MS = 1_000;
const RESTING_POLL_MS = 30_000;

type State = DataOf<typeof integrity.getIntegrity>;

/** The last check of the books; asked every second while one is under way. */
export const integrityQuery = queryOptions({
  queryKey: ['operator', 'integrity'],
  queryFn: ({ signal }) => call(endpoints.integrity.getIntegrity, { signal }),
  refetchInterval: (query: Query<State, Error, State, string[]>) =>
    pollEvery(query.state.data?.running ? RUNNING_POLL_MS : RESTING_POLL_MS)(query),
});

/** The newest seal of what members are owed; null before the first. */
export const snapshotQuery = queryOptions({
  queryKey: ['operator', 'snapshot'],
  queryFn: ({ signal }) => call(endpoints.solvencySeal.getSnapshot, { signal }),
  refetchInterval: pollEvery(RESTING_POLL_MS),
});

export function useCheckNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoints.integrity.runIntegrity),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: integrityQuery.queryKey });
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}

export function useSealNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoints.integrity.takeSnapshot),
    onSuccess: (snapshot) => client.setQueryData(snapshotQuery.queryKey, snapshot),
    onSettled: () => client.invalidateQueries({ queryKey: overviewQuery.queryKey }),
  });
}
