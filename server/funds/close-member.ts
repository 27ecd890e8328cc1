import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { deleteAddresses, findOnTheWay } from './closing-sql.ts';

/**
 * A step of closing an account (docs/product.md, section 8): saved payout addresses are forgotten. Refusals:
 * `closing_withdrawals` and `closing_deposits` while money is on its way. A payment that arrives later is held for an
 * operator to send back.
 */
export async function closeMemberFunds(tx: Tx, memberId: bigint): Promise<void> {
  const { hasWithdrawal, hasDeposit } = await findOnTheWay(tx, memberId);
  if (hasWithdrawal) throw new Refused('closing_withdrawals');
  if (hasDeposit) throw new Refused('closing_deposits');
  await deleteAddresses(tx, memberId);
}
