import assert from 'node:assert';
import { findOperator, lockWithdrawer } from '#server/accounts/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';

/**
 * Nobody lets their own money out (docs/product.md, section 5). Operators have no wallets; who is also a member is
 * known by the mail address of both accounts, whatever its capital letters.
 */
export async function refuseOwn(tx: Tx, withdrawal: WithdrawalRow, operatorId: bigint): Promise<void> {
  const { email } = await lockWithdrawer(tx, withdrawal.member_id);
  const operator = await findOperator(tx, operatorId);
  assert(operator !== undefined, 'whoever decides has an account');
  if (operator.email.toLowerCase() === email.toLowerCase()) throw new Refused('own_withdrawal');
}
