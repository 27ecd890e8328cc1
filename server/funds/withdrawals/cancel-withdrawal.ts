import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { moveWithdrawal } from './move-withdrawal.ts';
import { lockMemberWithdrawal, showWithdrawal } from './withdrawal.ts';

/**
 * Cancels a withdrawal of the member that is still `requested`; the amount goes back to its wallet. Against an approval
 * at the same moment one of the two wins, for both lock the row. Another member's is as unknown as one that does not
 * exist.
 *
 * Refuses `withdrawal_not_found`, `withdrawal_not_requested`.
 */
export function cancelWithdrawal(
  context: Context,
  memberId: bigint,
  id: bigint,
  once?: Once,
  address?: string,
): Promise<Withdrawal> {
  return runOnce(context.db, once, async (tx) => {
    const withdrawal = await lockMemberWithdrawal(tx, memberId, id);
    if (withdrawal === undefined) throw new Refused('withdrawal_not_found');
    if (withdrawal.state !== 'requested') throw new Refused('withdrawal_not_requested');
    const actor = { kind: 'member', id: memberId } as const;
    return showWithdrawal(await moveWithdrawal(tx, context, { withdrawal, to: 'cancelled', actor, address }));
  });
}
