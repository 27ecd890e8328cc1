import {
  endEmailRequest,
  endLoosenings,
  findStopLink,
  keepTwoFactor,
  lockAnyMember,
  lockOpenMember,
} from '#server/accounts/index.ts';
import { actingAs, type Executor, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { orRefuse } from '#server/refused.ts';
import { withdrawalsFrozenNotice, withdrawalsReleasedNotice } from '../core/notices.ts';
import {
  deleteWithdrawalFreeze,
  type FreezeCause,
  insertWithdrawalFreeze,
  lockWithdrawalFreeze,
} from './payout-guard.ts';

/**
 * Stops a member's withdrawals until two operators resume them. Waits for transactions inside the payout guard; once it
 * commits nothing passes the guard, not even approved withdrawals. Stopping again has no effect and sends no
 * notification, except that it ends any open proposal to resume them.
 *
 * @param freeze `why` is for the audit log, not for the member
 * @returns false when they were already stopped
 */
export async function freezeWithdrawals(
  tx: Tx,
  context: Context,
  freeze: Executor & { readonly memberId: bigint; readonly cause: FreezeCause; readonly why: string },
): Promise<boolean> {
  const { memberId, cause, actor, why, address } = freeze;
  const executor = { actor, address };
  await endLoosenings(tx, { memberId, what: 'lift_withdrawal_stop', executor, why, now: context.now() });
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
 * *This was not me*: the token of a security email stops all withdrawals of its account. Works without a sign-in, can
 * only stop and never resume, and is idempotent.
 *
 * Refuses `wrong_alarm`.
 */
export async function reportAddressChange(context: Context, token: string, networkAddress?: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const found = await findStopLink(tx, token, context.now());
    if (found !== undefined) await lockAnyMember(tx, found.memberId);
    // Rechecked under the lock: closing the account deletes its links.
    const link = orRefuse(await findStopLink(tx, token, context.now()), 'wrong_alarm');
    const actor = { kind: 'member', id: link.memberId } as const;
    // A pending change of email without the old mailbox is not the owner's either.
    const executor = { actor, address: networkAddress };
    await endEmailRequest(tx, context, { memberId: link.memberId, outcome: 'withdrawn', executor, why: 'not_me' });
    // Nor is a pending end of two-factor authentication.
    await keepTwoFactor(tx, context, link.memberId, networkAddress);
    await freezeWithdrawals(tx, context, {
      memberId: link.memberId,
      cause: 'not_me',
      actor,
      why: `the button in the mail about ${link.about}`,
      address: networkAddress,
    });
  });
}

/**
 * Stops the withdrawals of one member, at once and by any operator. Approved withdrawals wait; sent ones have left.
 * Idempotent.
 *
 * Refuses `not_found`, `account_closed`.
 */
export async function setWithdrawalsFrozen(
  context: Context,
  actor: OperatorActor,
  { memberId, why }: { readonly memberId: bigint; readonly why: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockOpenMember(tx, memberId);
    await freezeWithdrawals(tx, context, { memberId, cause: 'operator', why, ...actingAs(actor) });
  });
}

/**
 * Resumes a member's withdrawals, also after the member pressed *This was not me*, by a proposal that two operators
 * agreed on. The caller has locked the member.
 *
 * @param release `why` is for the audit log, not for the member
 * @returns false when they were not stopped
 */
export async function releaseWithdrawals(
  tx: Tx,
  release: Executor & { readonly memberId: bigint; readonly why: string; readonly loosening: bigint },
): Promise<boolean> {
  const { memberId, why, loosening, actor, address } = release;
  await lockWithdrawalFreeze(tx, memberId);
  if (!(await deleteWithdrawalFreeze(tx, memberId))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.release_withdrawals',
    subject: `member:${memberId}`,
    before: { withdrawals_frozen: true },
    after: { withdrawals_frozen: false, why, loosening },
    address,
  });
  await notifyMember(tx, { memberId, ...withdrawalsReleasedNotice() });
  return true;
}
