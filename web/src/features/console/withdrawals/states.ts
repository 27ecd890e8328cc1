import type { WithdrawalState } from '#contract/funds/withdrawals.ts';

/** The tabs, in the order a withdrawal can go through them. */
export const tabStates = [
  'requested',
  'approved',
  'sent',
  'uncertain',
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const satisfies readonly WithdrawalState[];

export const stateWords: Record<WithdrawalState, string> = {
  requested: 'Requested',
  approved: 'Approved',
  sent: 'Sent',
  uncertain: 'Uncertain',
  completed: 'Completed',
  rejected: 'Rejected',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Somebody or something still has to act. */
export const isWaiting = (state: WithdrawalState): boolean =>
  state === 'requested' || state === 'approved' || state === 'sent' || state === 'uncertain';

export const isTabState = (state: string | null): state is WithdrawalState =>
  (tabStates as readonly (string | null)[]).includes(state);
