import type { WithdrawalState } from '#contract/funds/withdrawals.ts';

export type PayoutWay = 'gateway' | 'hand';

/** From each state the ones it can move to (docs/product.md, section 5). */
const moves: Readonly<Record<WithdrawalState, readonly WithdrawalState[]>> = {
  requested: ['approved', 'cancelled', 'rejected'],
  approved: ['sent', 'uncertain', 'rejected'],
  sent: ['completed', 'failed'],
  uncertain: ['sent', 'completed', 'failed'],
  completed: [],
  cancelled: [],
  rejected: [],
  failed: [],
};

/** What a move does with the held amount. */
export type HoldFate = 'kept' | 'paid' | 'released';

/**
 * Whether a withdrawal may move on to a state, and what becomes of its hold; undefined when it may not. The hold stays
 * until `completed` pays it out or `cancelled`, `rejected` or `failed` releases it (docs/product.md, section 5). One
 * that is being paid, by whom or what ever, cannot be rejected any more: money may be on its way. Nothing is sent, nor
 * is its outcome unknown, before somebody began to pay it.
 *
 * `moveOf({ state: 'requested', payoutWay: null }, 'approved') === 'kept'`, with `'completed'` it is undefined;
 * `moveOf({ state: 'approved', payoutWay: 'hand' }, 'rejected')` is undefined, without a way `'released'`.
 */
export function moveOf(
  from: { readonly state: WithdrawalState; readonly payoutWay: PayoutWay | null },
  to: WithdrawalState,
): HoldFate | undefined {
  if (!moves[from.state].includes(to)) return undefined;
  if (from.state === 'approved' && (to === 'rejected') !== (from.payoutWay === null)) return undefined;
  if (to === 'completed') return 'paid';
  return releasing.includes(to) ? 'released' : 'kept';
}

const releasing: readonly WithdrawalState[] = ['cancelled', 'rejected', 'failed'];

/** States in which the amount lies in `withdrawal_hold`. */
export const openWithdrawalStates = ['requested', 'approved', 'sent', 'uncertain'] as const;

/** States that do not count against the limit of their day. */
export const releasedWithdrawalStates = ['cancelled', 'rejected', 'failed'] as const;
