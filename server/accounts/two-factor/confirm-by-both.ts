import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { lockForChange, type Member } from '../members/member-sql.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import { takeAppCode } from './take-app-code.ts';
import { findTotp } from './totp-sql.ts';

/**
 * Runs a change of the second factor, in one transaction, for who knows the password and has the app: neither an open
 * browser nor a lost phone is enough. Refusals: `second_factor_missing`, `wrong_password`, `wrong_second_factor`,
 * `too_many_requests`.
 */
export async function confirmByBoth<T>(
  context: Context,
  memberId: bigint,
  input: { readonly password: string; readonly otp: string },
  change: (tx: Tx, member: Member, totpId: bigint) => Promise<T>,
): Promise<T> {
  const now = context.now();
  const totp = await findTotp(context.db, { memberId });
  if (totp?.isConfirmed !== true) throw new Refused('second_factor_missing');
  const { passwordHash } = await checkOwnPassword(context, memberId, input.password);
  await countAttempt(context.db, 'second_factor', memberId.toString(), now);
  return inTransaction(context.db, async (tx) => {
    const member = await lockForChange(tx, memberId, passwordHash);
    if (member === undefined) throw new Refused('wrong_password', { field: 'password' });
    if (!(await takeAppCode(tx, { memberId }, input.otp, now))) throw new Refused('wrong_second_factor');
    await forgetAttempts(tx, 'current_password', memberId.toString());
    await forgetAttempts(tx, 'second_factor', memberId.toString());
    return change(tx, member, totp.id);
  });
}
