import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { findMemberWithPassword } from '../members/member-sql.ts';
import { hashToken } from '../secrets.ts';
import { forgetCallers } from '../sign-in/find-caller.ts';
import { refuseWeakPassword } from './password-guesser.ts';
import { hashPassword } from './passwords.ts';
import { replacePassword } from './replace-password.ts';
import { deleteResetToken, findResetToken } from './reset-sql.ts';

/**
 * Sets a new password with the token of a verified code; all sessions end. The token works once: of two requests at
 * the same moment one is refused. A password that is too weak leaves it usable. Refusals: `wrong_reset_token`,
 * `weak_password`.
 */
export async function resetPassword(
  context: Context,
  input: { readonly resetToken: string; readonly password: string; readonly address: string },
): Promise<void> {
  const tokenHash = hashToken(input.resetToken);
  const memberId = await findResetToken(context.db, tokenHash, context.now());
  const member = memberId === undefined ? undefined : await findMemberWithPassword(context.db, memberId);
  if (member === undefined) throw new Refused('wrong_reset_token');
  await refuseWeakPassword(input.password, member);
  const newHash = await hashPassword(input.password);
  const ended = await inTransaction(context.db, async (tx) => {
    if (!(await deleteResetToken(tx, tokenHash, context.now()))) throw new Refused('wrong_reset_token');
    const change = { newHash, keepSession: null, action: 'member.reset_password', address: input.address } as const;
    const hashes = await replacePassword(context, tx, member, change);
    if (hashes === undefined) throw new Refused('wrong_reset_token');
    return hashes;
  });
  forgetCallers(context, ended);
}
