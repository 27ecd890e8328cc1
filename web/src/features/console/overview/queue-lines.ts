import type { OperatorRole } from '#contract/endpoint.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { answerers } from '../roles.ts';

type QueueLine = {
  key: string;
  label: string;
  count: number;
  amount?: number;
  oldestAt?: string | null;
  note?: string;
  /** Of the console, and what its address says behind the question mark. */
  page?: string;
  /** Who has that page, where it is not for everybody. */
  roles?: readonly OperatorRole[];
  search?: string;
};

const withdrawalLabels = {
  requested: 'Withdrawals to approve',
  approved: 'Withdrawals to pay',
  sent: 'Payouts on their way',
  uncertain: 'Payouts that are uncertain',
} as const;

/** The queues as lines, in the order in which money and people wait. */
export function linesOf(queues: Overview['queues']): QueueLine[] {
  const { two_person, tickets, mails, proposals, rewards } = queues;
  return [
    ...queues.withdrawals.map(({ state, count, amount, oldest_at }) => ({
      key: state,
      label: withdrawalLabels[state],
      count,
      amount,
      oldestAt: oldest_at,
      page: 'withdrawals',
      ...(state !== 'requested' && { search: `?state=${state}` }),
      ...(state === 'requested' && two_person.count > 0 && { note: `${two_person.count} by two operators` }),
    })),
    {
      key: 'deposits',
      label: 'Deposits in review',
      count: queues.deposits_in_review.count,
      amount: queues.deposits_in_review.amount,
      oldestAt: queues.deposits_in_review.oldest_at,
      page: 'deposits',
    },
    {
      key: 'tickets',
      label: 'Open tickets',
      count: tickets.count,
      oldestAt: tickets.oldest_at,
      page: 'tickets',
      roles: answerers,
      ...(tickets.unassigned > 0 && { note: `${tickets.unassigned} with nobody` }),
    },
    { key: 'adjustments', label: 'Adjustments to approve', count: proposals.adjustments, page: 'adjustments' },
    { key: 'treasury', label: 'Treasury moves to approve', count: proposals.treasury_moves, page: 'treasury' },
    {
      key: 'fee_plans',
      label: 'Fee plans to approve',
      count: proposals.fee_plans,
      page: 'fee-plans',
      search: '?view=proposed',
    },
    {
      key: 'rewards',
      label: 'Rewards that wait for their pool',
      count: rewards.count,
      amount: rewards.amount,
      oldestAt: rewards.oldest_at,
    },
    {
      key: 'mails',
      label: 'Mails to send',
      count: mails.count,
      oldestAt: mails.oldest_at,
      page: 'jobs',
      ...(mails.failed > 0 && { note: `${mails.failed} given up` }),
    },
  ];
}
