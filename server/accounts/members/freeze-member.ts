import { english } from '#contract/texts.ts';
import { actingAs, type Executor, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { endLoosenings } from './end-loosenings.ts';
import { deleteFrozen, lockOpenMember, updateFrozen } from './members.ts';

const { t } = english;

/**
 * Freezes a member in the transaction of its cause (docs/product.md, section 8): they can sign in and read, open trades
 * settle, nothing can be placed or withdrawn. Freezing again changes and notifies nothing, but withdraws proposals to
 * unfreeze them.
 *
 * @param freeze `why` is for the audit log, not for the member; `address` is the network address of the request
 * @returns false if the member was already frozen
 */
export async function freezeMember(
  tx: Tx,
  freeze: Executor & { readonly memberId: bigint; readonly why: string; readonly now: Date },
): Promise<boolean> {
  const { memberId, actor, why, now, address } = freeze;
  await endLoosenings(tx, { memberId, what: 'unfreeze', executor: { actor, address }, why, now });
  if (!(await updateFrozen(tx, memberId, now))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.freeze',
    subject: `member:${memberId}`,
    before: { frozen: false },
    after: { frozen: true, why },
    address,
  });
  await notifyMember(tx, {
    memberId,
    kind: 'account_frozen',
    message: t`Your account was frozen. Open Query to write to support.`,
    mail: {
      subject: t`Your account was frozen`,
      text: `${t`Your account was frozen. You can sign in and view everything, and open trades still settle. Trading, investing, deposits and withdrawals are blocked.`}\n\n${t`To have it released, sign in, open Query and write to support.`}\n`,
    },
  });
  return true;
}

/**
 * Unfreezes a member by an approved proposal. Idempotent.
 *
 * @param release `why` is for the audit log, not for the member; `address` is the network address of the request
 * @returns false if the member was not frozen
 */
export async function unfreezeMember(
  tx: Tx,
  release: Executor & { readonly memberId: bigint; readonly why: string; readonly loosening: bigint },
): Promise<boolean> {
  const { memberId, actor, why, address, loosening } = release;
  if (!(await deleteFrozen(tx, memberId))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.unfreeze',
    subject: `member:${memberId}`,
    before: { frozen: true },
    after: { frozen: false, why, loosening },
    address,
  });
  await notifyMember(tx, {
    memberId,
    kind: 'account_released',
    message: t`Your account is no longer frozen.`,
    mail: {
      subject: t`Your account is no longer frozen`,
      text: `${t`Your account is no longer frozen. Anything else that restricts it, such as a stop of withdrawals or your own pause, stays in force.`}\n`,
    },
  });
  return true;
}

/**
 * Freezes a member (docs/product.md, section 8). Any operator can, immediately and without a code: a stop must never
 * wait for a colleague or a phone. Idempotent.
 *
 * Refuses `not_found`, `account_closed`.
 */
export async function setMemberFrozen(
  context: Context,
  actor: OperatorActor,
  turn: { readonly memberId: bigint; readonly why: string },
): Promise<void> {
  const { memberId, why } = turn;
  await inTransaction(context.db, async (tx) => {
    await lockOpenMember(tx, memberId);
    await freezeMember(tx, { memberId, why, now: context.now(), ...actingAs(actor) });
  });
}
