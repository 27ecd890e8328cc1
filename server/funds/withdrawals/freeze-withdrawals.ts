import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { withdrawalsFrozenNotice } from '../core/freeze-notice.ts';
import { findByAlarm } from './payout-address-sql.ts';
import { type FreezeCause, insertWithdrawalFreeze, lockWithdrawalFreeze } from './payout-guard.ts';
import { hashAlarm } from './save-address.ts';

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

/**
 * *This was not me*: the token of the mail about a changed address stops all withdrawals of its account. Whoever has
 * the mail can do this, signed in or not; it can only stop, never let go. Pressing twice is fine.
 *
 * Refuses `wrong_alarm`.
 */
export async function reportAddressChange(context: Context, token: string, networkAddress?: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await findByAlarm(tx, hashAlarm(token), context.now());
    if (row === undefined) throw new Refused('wrong_alarm');
    await freezeWithdrawals(tx, context, {
      memberId: row.member_id,
      cause: 'not_me',
      actor: { kind: 'member', id: row.member_id },
      why: `the button in the mail about the ${row.network} address ${row.address}`,
      ...(networkAddress === undefined ? {} : { address: networkAddress }),
    });
  });
}
