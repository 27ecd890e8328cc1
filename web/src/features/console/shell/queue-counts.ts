import { useQuery } from '@tanstack/react-query';
import type { Overview } from '#contract/operator/overview.ts';
import { overviewQuery } from './overview-query.ts';

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
