import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { findOperatorWithPassword, lockOperatorPassword, type OperatorWithPassword } from './operator-sql.ts';

/**
 * Verifies the password of a signed-in operator again, so that an unattended browser is not enough. Refuses
 * `wrong_password` at `password`, `too_many_requests`.
 */
export async function checkOperatorPassword(
  context: Context,
  operatorId: bigint,
  password: string,
): Promise<OperatorWithPassword & { readonly passwordHash: string }> {
  await countAttempt(context.db, 'operator_password', operatorId.toString(), context.now());
  const operator = await findOperatorWithPassword(context.db, operatorId);
  const isRight = await verifyPassword(operator?.passwordHash, password);
  if (operator === undefined || operator.passwordHash === null || !isRight) throw wrongPassword();
  return { ...operator, passwordHash: operator.passwordHash };
}

/** Locks the password that was checked, and forgets wrong tries. Refuses `wrong_password` if it was changed since. */
export async function lockConfirmedOperator(tx: Tx, operatorId: bigint, passwordHash: string): Promise<void> {
  if (!(await lockOperatorPassword(tx, operatorId, passwordHash))) throw wrongPassword();
  await clearAttempts(tx, 'operator_password', operatorId.toString());
}

const wrongPassword = (): Refused => new Refused('wrong_password', { field: 'password' });
