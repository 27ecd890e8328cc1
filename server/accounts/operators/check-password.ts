import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { findOperatorWithPassword, type OperatorWithPassword } from './operator-sql.ts';

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

export const wrongPassword = (): Refused => new Refused('wrong_password', { field: 'password' });
