import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { Payout } from '../gateways/gateway.ts';
import { moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { lockUnchanged } from './claim-payout.ts';

/**
 * Writes down that the gateway has the payout of a withdrawal, whether it was just ordered or found by its reference:
 * the withdrawal is `sent`. How it ends is asked later.
 *
 * @returns false when somebody else changed the withdrawal since it was read
 */
export function takeFound(context: Context, seen: WithdrawalRow, payout: Payout): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const withdrawal = await lockUnchanged(tx, seen);
    if (withdrawal === undefined) return false;
    const set = { payoutId: payout.id, transaction: payout.transaction };
    await moveWithdrawal(tx, context, { withdrawal, to: 'sent', actor: { kind: 'system', id: null }, set });
    return true;
  });
}
