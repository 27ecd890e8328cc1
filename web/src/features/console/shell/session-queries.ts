import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { signOutOperator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/poll.ts';

const ME_POLL_MS = 60_000;

/** Who the server says is at work: a role that was changed, a sign-in that was ended shows without a reload. */
export const operatorMeQuery = queryOptions({
  queryKey: ['operator', 'me'],
  queryFn: ({ signal }) => call(endpoints.operatorAccounts.getOperatorMe, { signal }),
  refetchInterval: pollEvery(ME_POLL_MS),
});

/** Ends the sign-in at the server, and here whatever comes of that. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => call(endpoints.operatorAccounts.signOutOperator),
    onSettled: signOutOperator,
  });
