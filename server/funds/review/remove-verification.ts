import { lockOpenMember, setVerified } from '#server/accounts/index.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';

/**
 * Removes the verification that live mode requires for payouts, at once and by any operator. Refuses `not_found`,
 * `account_closed`.
 */
export async function removeVerification(
  context: Context,
  actor: OperatorActor,
  change: { readonly memberId: bigint; readonly why: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockOpenMember(tx, change.memberId);
    await setVerified(tx, { ...change, verified: false, ...actingAs(actor), now: context.now() });
  });
}
