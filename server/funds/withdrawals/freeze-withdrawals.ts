import type { OperatorCode } from '#contract/fields.ts';
import { confirmOperator, getMember } from '#server/accounts/index.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { withdrawalsFrozenNotice, withdrawalsReleasedNotice } from '../core/notices.ts';
import { findByAlarm } from './payout-address-sql.ts';
import {
  deleteWithdrawalFreeze,
  type FreezeCause,
  insertWithdrawalFreeze,
  lockWithdrawalFreeze,
} from './payout-guard.ts';
import { hashAlarm } from './save-address.ts';

/**
 * Stops a member's withdrawals until an operator lets them go on. It waits for what is being let through at this
 * moment, and from its commit on nothing passes the payout guard, also not what was approved before. Stopping twice changes and
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
    address,
  });
  await notifyMember(tx, { memberId, ...withdrawalsFrozenNotice(context.config.supportEmail) });
  return true;
}

/**
 * *This was not me*: the token of the email about a changed address stops all withdrawals of its account. Whoever has
 * the email can do this, signed in or not; it can only stop, never let go. Pressing twice is fine.
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
      address: networkAddress,
    });
  });
}

export type FreezeTurn = {
  readonly memberId: bigint;
  readonly frozen: boolean;
  /** For the audit log, not for the member. */
  readonly why: string;
  /** The second factor; to let withdrawals go on, not to stop them. */
  readonly otp?: OperatorCode;
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
  if (otp !== undefined) await confirmOperator(context, decider.operatorId, otp);
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
