import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import { isWeakPassword } from './core/weak-password.ts';
import { forgetCallers, type MemberCaller } from './find-caller.ts';
import { findMemberWithPassword } from './member-sql.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';

/**
 * Changes the password of the signed-in member; all other sessions end. A wrong current password is counted like a
 * wrong sign-in, for whoever took over an open browser would guess it here. Refusals: `wrong_password`,
 * `weak_password`, `too_many_requests`.
 */
export async function changePassword(
  context: Context,
  caller: MemberCaller,
  input: { readonly currentPassword: string; readonly password: string; readonly address: string },
): Promise<void> {
  const account = caller.memberId.toString();
  await countAttempt(context.db, 'current_password', account, context.now());
  const member = await findMemberWithPassword(context.db, caller.memberId);
  const isRight = await verifyPassword(member?.passwordHash, input.currentPassword);
  if (member === undefined || !isRight) throw new Refused('wrong_password');
  if (isWeakPassword(input.password, member)) throw new Refused('weak_password');
  const newHash = await hashPassword(input.password);
  const ended = await inTransaction(context.db, async (tx) => {
    await forgetAttempts(tx, 'current_password', account);
    const change = {
      newHash,
      keepSession: caller.authSessionId,
      action: 'member.change_password',
      address: input.address,
    } as const;
    const hashes = await replacePassword(context, tx, member, change);
    if (hashes === undefined) throw new Refused('wrong_password');
    return hashes;
  });
  forgetCallers(context, ended);
}
