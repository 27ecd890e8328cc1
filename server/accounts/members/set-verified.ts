import { english } from '#contract/texts.ts';
import { actingAs, type Executor, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { endLoosenings } from './end-loosenings.ts';
import { lockOpenMember, updateVerified } from './members.ts';

/**
 * Sets or removes a member's verification; live mode pays out to verified members only (docs/product.md, section 5).
 * Without a change it notifies nothing, but removing it also withdraws proposals to set it.
 *
 * @param change `why` is for the audit log, not for the member; `address` is the network address of the request
 * @returns false if nothing changed
 */
export async function setVerified(
  tx: Tx,
  change: Executor & {
    readonly memberId: bigint;
    readonly verified: boolean;
    readonly why: string;
    readonly now: Date;
    /** The approved proposal that sets it. */
    readonly loosening?: bigint;
  },
): Promise<boolean> {
  const { memberId, verified, actor, why, now, address, loosening } = change;
  if (!verified) await endLoosenings(tx, { memberId, what: 'verify', executor: { actor, address }, why, now });
  if (!(await updateVerified(tx, memberId, verified ? now : null))) return false;
  await writeAudit(tx, {
    actor,
    action: verified ? 'member.verify' : 'member.unverify',
    subject: `member:${memberId}`,
    before: { verified: !verified },
    after: { verified, why, loosening },
    address,
  });
  await notifyMember(tx, {
    memberId,
    kind: verified ? 'account_verified' : 'account_unverified',
    message: verified
      ? english.t`Your account was verified.`
      : english.t`Your account is no longer verified. Open Query to write to support.`,
  });
  return true;
}

/**
 * Removes the verification that live mode requires for payouts, at once and by any operator. Refuses `not_found`,
 * `account_closed`.
 */
export const removeVerification = (
  { db, now }: Context,
  actor: OperatorActor,
  change: { readonly memberId: bigint; readonly why: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockOpenMember(tx, change.memberId);
    await setVerified(tx, { ...change, verified: false, ...actingAs(actor), now: now() });
  });
