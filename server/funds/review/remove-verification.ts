import { lockOpenMember, setVerified } from '#server/accounts/index.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';

/** Takes away the flag that live mode asks for before money goes out, at once and by any operator. Refuses `not_found`, `account_closed`. */
export async function removeVerification(
  context: Context,
  actor: OperatorActor,
  turn: { readonly memberId: bigint; readonly why: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockOpenMember(tx, turn.memberId);
    await setVerified(tx, { ...turn, verified: false, ...actingAs(actor), now: context.now() });
  });
}
