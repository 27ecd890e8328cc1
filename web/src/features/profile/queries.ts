import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { identity } from '#contract/identity.ts';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';
import { endSession } from '../../shared/sign-in-state.ts';

/** The signed-in member, with sponsor, limits of their own, and whether the account is frozen. */
export const meQuery = queryOptions({
  queryKey: ['identity', 'me'],
  queryFn: ({ signal }) => call(endpoints.identity.me, { signal }),
});

export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof identity.changePassword>) => call(endpoints.identity.changePassword, { body }),
  });

/** Changes limits of one's own; the reply has all of them, so the page knows them without asking again. */
export function useSetLimits() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof identity.setLimits>) => call(endpoints.identity.setLimits, { body }),
    onSuccess: (limits) => client.setQueryData(meQuery.queryKey, (me) => me && { ...me, limits }),
  });
}

/**
 * Ends the session on the server and here. Whoever presses Sign out on a shared computer must be signed out of it also
 * when the server does not answer, so the token is forgotten in either case.
 */
export const useSignOut = () =>
  useMutation({ mutationFn: () => call(endpoints.identity.logout), onSettled: () => endSession() });
