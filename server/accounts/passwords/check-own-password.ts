import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { findMemberWithPassword, type MemberWithPassword } from '../members/member-sql.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { verifyPassword } from './passwords.ts';

/**
 * The signed-in member whose current password this is. A wrong one is counted like a wrong sign-in, for whoever took over
 * an open browser would guess it here. Outside of transactions, as hashing takes its time: the change itself then locks
 * the password as it was checked. Refusals: `wrong_password`, `too_many_requests`.
 *
 * @param field of the form that the password was typed into
 */
export async function checkOwnPassword(
  context: Context,
  memberId: bigint,
  password: string,
  field: 'password' | 'current_password' = 'password',
): Promise<MemberWithPassword> {
  await countAttempt(context.db, 'current_password', memberId.toString(), context.now());
  const member = await findMemberWithPassword(context.db, memberId);
  const isRight = await verifyPassword(member?.passwordHash, password);
  if (member === undefined || !isRight) throw new Refused('wrong_password', { field });
  return member;
}
