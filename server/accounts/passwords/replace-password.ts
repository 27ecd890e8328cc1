import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { passwordChangedMail } from '../core/mails.ts';
import { type MemberWithPassword, updatePassword } from '../members/member-sql.ts';
import { forgetAttempts } from '../sign-in/attempts.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';

/**
 * What every way to a new password does: sets it, and with it all that a security change brings. Undefined when the
 * password was changed since it was read.
 *
 * @returns hashes of the tokens that ended, for the cache of callers
 */
export async function replacePassword(
  context: Context,
  tx: Tx,
  member: MemberWithPassword,
  change: {
    readonly newHash: string;
    /** The sign-in that stays; null ends all. */
    readonly keepSession: bigint | null;
    readonly action: 'member.change_password' | 'member.reset_password';
    readonly address: string;
  },
): Promise<Buffer[] | undefined> {
  const { newHash, ...rest } = change;
  const now = context.now();
  if (!(await updatePassword(tx, member.id, { oldHash: member.passwordHash, newHash, now }))) return undefined;
  await forgetAttempts(tx, 'sign_in', member.referralCode);
  const { brandName, supportEmail } = context.config;
  return recordSecurityChange(context, tx, member, {
    ...rest,
    kind: 'password_changed',
    message: 'Your password was changed. All other devices were signed out.',
    mail: passwordChangedMail(brandName, member.referralCode, supportEmail),
  });
}
