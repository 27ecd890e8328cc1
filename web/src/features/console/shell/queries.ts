import { useQuery } from '@tanstack/react-query';
import { consoleOverview, operatorAccounts } from '#contract/endpoints.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { queryOf } from '../../../api/query-of.ts';
import { useSignOutOf } from '../../../api/send-to.ts';

const OVERVIEW_POLL_MS = 10_000;

/** Solvency, queues and health: used by the menu badges and several pages. */
export const overviewQuery = queryOf(['operator', 'overview'], consoleOverview.getOverview, {
  pollMs: OVERVIEW_POLL_MS,
});

/** The queues that have a badge in the menu. */
export type QueueName = keyof ReturnType<typeof countsOf>;

/** The number of items waiting in each queue; unknown counts are omitted. */
export function useQueueCounts(): Partial<Record<QueueName, number>> {
  const { data } = useQuery(overviewQuery);
  return data === undefined ? {} : countsOf(data.queues);
}

/** Withdrawals that need an operator: requested ones, and those with an unknown outcome. */
const countsOf = (queues: Overview['queues']) => ({
  withdrawals: queues.withdrawals
    .filter(({ state }) => state === 'requested' || state === 'uncertain')
    .reduce((sum, { count }) => sum + count, 0),
  deposits: queues.deposits_in_review.count,
  tickets: queues.tickets.count,
  adjustments: queues.proposals.adjustments,
  treasury: queues.proposals.treasury_moves,
  reserves: queues.proposals.reserves,
  venue_fills: queues.proposals.venue_fills,
  statement: queues.statement.count,
  gateway_statement: queues.gateway_statement.count,
  asset_limits: queues.proposals.asset_limits,
  fee_plans: queues.proposals.fee_plans,
  loosenings: queues.proposals.loosenings,
  email_changes: queues.proposals.email_changes,
  announcements: queues.proposals.announcements,
});

const ME_POLL_MS = 60_000;

/** The server's view of the operator: a changed role or an ended sign-in takes effect without a reload. */
export const operatorMeQuery = queryOf(['operator', 'me'], operatorAccounts.getOperatorMe, {
  pollMs: ME_POLL_MS,
});

export const useSignOut = () => useSignOutOf(operatorAccounts.signOutOperator);
