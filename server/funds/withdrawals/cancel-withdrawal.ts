import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { moveWithdrawal } from './move-withdrawal.ts';
import { lockMemberWithdrawal, showWithdrawal } from './withdrawal.ts';

/**
 * Cancels a withdrawal of the member that is still `requested`; the amount goes back to its wallet. Both this and an
 * approval lock the row, so only one of them succeeds.
 *
 * Refuses `withdrawal_not_found`, also for another member's, and `withdrawal_not_requested`.
 */
export function cancelWithdrawal(
  context: Context,
  memberId: bigint,
  id: bigint,
  once?: Once,
  address?: string,
): Promise<Withdrawal> {
  return runOnce(context.db, once, async (tx) => {
    const withdrawal = orRefuse(await lockMemberWithdrawal(tx, memberId, id), 'withdrawal_not_found');
    if (withdrawal.state !== 'requested') throw new Refused('withdrawal_not_requested');
    const actor = { kind: 'member', id: memberId } as const;
    return showWithdrawal(await moveWithdrawal(tx, context, { withdrawal, to: 'cancelled', actor, address }));
  });
}
