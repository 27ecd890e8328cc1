import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { withdrawalsFrozenNotice } from '../core/freeze-notice.ts';
import { type FreezeCause, insertWithdrawalFreeze, lockWithdrawalFreeze } from './withdrawal-bar-sql.ts';

/**
 * Stops a member's withdrawals until an operator lets them go on. It waits for what is being let through at this
 * moment, and from its commit on nothing passes the gate, also not what was approved before. Stopping twice changes and
 * tells nothing.
 *
 * @param freeze `why` is for the audit log, not for the member
 * @returns false when they were stopped before
 */
export async function freezeWithdrawals(
  tx: Tx,
  context: Context,
  freeze: {
    readonly memberId: bigint;
    readonly cause: FreezeCause;
    readonly actor: Actor;
    readonly why: string;
    readonly address?: string;
  },
): Promise<boolean> {
  const { memberId, cause, actor, why, address } = freeze;
  await lockWithdrawalFreeze(tx, memberId);
  if (!(await insertWithdrawalFreeze(tx, { memberId, cause, now: context.now() }))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.freeze_withdrawals',
    subject: `member:${memberId}`,
    before: { frozen: false },
    after: { frozen: true, cause, why },
    ...(address === undefined ? {} : { address }),
  });
  await notifyMember(tx, { memberId, ...withdrawalsFrozenNotice(context.config.supportEmail) });
  return true;
}
