import type { DepositState } from '#contract/funds/deposits.ts';

/** The tabs: what waits for somebody first, then in the order a deposit can go through them. */
export const tabStates = [
  'review',
  'created',
  'pending',
  'underpaid',
  'credited',
  'refunded',
  'rejected',
  'expired',
  'failed',
] as const satisfies readonly DepositState[];

export const stateWords: Record<DepositState, string> = {
  review: 'In review',
  created: 'Created',
  pending: 'Pending',
  underpaid: 'Underpaid',
  credited: 'Credited',
  refunded: 'Sent back',
  rejected: 'Rejected',
  expired: 'Expired',
  failed: 'Failed',
};

export const isTabState = (state: string | null): state is DepositState =>
  (tabStates as readonly (string | null)[]).includes(state);
