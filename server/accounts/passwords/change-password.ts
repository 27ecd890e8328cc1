import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { forgetAttempts } from '../sign-in/attempts.ts';
import { forgetCallers, type MemberCaller } from '../sign-in/find-caller.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { refuseWeakPassword } from './password-guesser.ts';
import { hashPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';

/**
 * Changes the password of the signed-in member; all other sessions end. Refusals: `wrong_password`, `weak_password`,
 * `too_many_requests`.
 */
export async function changePassword(
  context: Context,
  caller: MemberCaller,
  input: { readonly currentPassword: string; readonly password: string; readonly address: string },
): Promise<void> {
  const member = await checkOwnPassword(context, caller.memberId, input.currentPassword, 'current_password');
  await refuseWeakPassword(input.password, member);
  const newHash = await hashPassword(input.password);
  const ended = await inTransaction(context.db, async (tx) => {
    await forgetAttempts(tx, 'current_password', caller.memberId.toString());
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
