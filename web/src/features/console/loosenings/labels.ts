import type { LooseningKind } from '#contract/operator/loosenings.ts';

/** What is proposed, as a verb and an object. */
export const looseningLabels: Record<LooseningKind, string> = {
  unfreeze: 'Unfreeze account',
  lift_withdrawal_stop: 'Resume withdrawals',
  verify: 'Verify member',
};
