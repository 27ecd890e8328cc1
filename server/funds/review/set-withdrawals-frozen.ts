import { confirmOperator, getMember } from '#server/accounts/index.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { withdrawalsReleasedNotice } from '../core/freeze-notice.ts';
import { freezeWithdrawals } from '../withdrawals/freeze-withdrawals.ts';
import { deleteWithdrawalFreeze } from '../withdrawals/payout-guard.ts';

export type FreezeTurn = {
  readonly memberId: bigint;
  readonly frozen: boolean;
  /** For the audit log, not for the member. */
  readonly why: string;
  /** The second factor; to let withdrawals go on, not to stop them. */
  readonly otp?: string;
};

/**
 * Stops the withdrawals of one member, or lets them go on, also after the member pressed *This was not me*. What is
 * approved waits; what was sent has left. Said twice it changes and tells nothing.
 *
 * Refuses `not_found`, `second_factor_missing`, `wrong_second_factor`.
 */
export async function setWithdrawalsFrozen(context: Context, decider: Decider, turn: FreezeTurn): Promise<void> {
  const { memberId, frozen, why, otp } = turn;
  await getMember(context.db, memberId);
  if (otp !== undefined) await confirmOperator(context.db, decider.operatorId, otp, context.now());
  await inTransaction(context.db, async (tx) => {
    if (!frozen) return release(tx, decider, turn);
    await freezeWithdrawals(tx, context, { memberId, cause: 'operator', why, ...actingAs(decider) });
  });
}

async function release(tx: Tx, decider: Decider, { memberId, why }: FreezeTurn): Promise<void> {
  if (!(await deleteWithdrawalFreeze(tx, memberId))) return;
  await writeAudit(tx, {
    ...actingAs(decider),
    action: 'member.release_withdrawals',
    subject: `member:${memberId}`,
    before: { withdrawals_frozen: true },
    after: { withdrawals_frozen: false, why },
  });
  await notifyMember(tx, { memberId, ...withdrawalsReleasedNotice() });
}
