import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';

const rows = endpoints.operatorAccounts;

/** Where the operator is signed in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['operator', 'own-sessions'],
  queryFn: ({ signal }) => call(rows.listOperatorSessions, { signal }),
});

/** Whatever comes of it, the list may be another one. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
}

export const useEndSession = () =>
  useMutation({
    mutationFn: (id: string) => call(rows.endOperatorSession, { params: { id } }),
    onSettled: useRefresh(),
  });

export const useEndOtherSessions = () =>
  useMutation({ mutationFn: () => call(rows.endOtherOperatorSessions), onSettled: useRefresh() });

export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operatorAccounts.changeOperatorPassword>) =>
      call(rows.changeOperatorPassword, { body }),
    onSettled: useRefresh(),
    gcTime: 0,
  });
