import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Overview } from '#contract/operator/overview.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { signOutOperator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/poll.ts';

const OVERVIEW_POLL_MS = 10_000;

/** What is held and owed, what waits, what runs: the menu's badges, the foot and several pages read it. */
export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => call(endpoints.consoleOverview.getOverview, { signal }),
  refetchInterval: pollEvery(OVERVIEW_POLL_MS),
});

/** What waits for somebody, by the name of its queue; a badge of the menu shows it. */
export type QueueName = 'withdrawals' | 'deposits' | 'tickets' | 'adjustments' | 'treasury' | 'fee_plans';

/** How many wait in each queue of the menu; unknown ones are not there. */
export function useQueueCounts(): Partial<Record<QueueName, number>> {
  const { data } = useQuery(overviewQuery);
  return data === undefined ? {} : countsOf(data.queues);
}

/** Withdrawals that wait for a person: those that are requested, and those of which nobody knows whether they left. */
export const countsOf = (queues: Overview['queues']): Record<QueueName, number> => ({
  withdrawals: queues.withdrawals
    .filter(({ state }) => state === 'requested' || state === 'uncertain')
    .reduce((sum, { count }) => sum + count, 0),
  deposits: queues.deposits_in_review.count,
  tickets: queues.tickets.count,
  adjustments: queues.proposals.adjustments,
  treasury: queues.proposals.treasury_moves,
  fee_plans: queues.proposals.fee_plans,
});

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
