import assert from 'node:assert';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import { takeAppCode } from '../two-factor/take-app-code.ts';
import { findTotp } from '../two-factor/totp-sql.ts';

/**
 * The second factor of an operation that moves money, BEFORE the operation's own transaction: a code is used up even when
 * the operation is refused, or it could be tried on until one fits. Counted before it is looked at. Refusals:
 * `second_factor_missing` without a confirmed authenticator app, `wrong_second_factor` for a wrong, old or used code,
 * `too_many_requests`.
 */
export async function confirmOperator(db: Db, operatorId: bigint, otp: string, now: Date): Promise<void> {
  assert(!db.isTransaction, 'a code is used up whatever becomes of the operation');
  const totp = await findTotp(db, { operatorId });
  if (totp?.isConfirmed !== true) throw new Refused('second_factor_missing');
  await countAttempt(db, 'operator_second_factor', operatorId.toString(), now);
  const isTaken = await inTransaction(db, (tx) => takeOperatorCode(tx, operatorId, otp, now));
  if (!isTaken) throw new Refused('wrong_second_factor');
}

/** Takes a code of a confirmed app, once. The caller has counted the try. */
export async function takeOperatorCode(tx: Tx, operatorId: bigint, otp: string, now: Date): Promise<boolean> {
  if (!(await takeAppCode(tx, { operatorId }, otp, now))) return false;
  await forgetAttempts(tx, 'operator_second_factor', operatorId.toString());
  return true;
}
