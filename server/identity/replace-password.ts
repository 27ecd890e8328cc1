import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { forgetAttempts } from './attempts.ts';
import { deleteAuthSessions } from './auth-session-sql.ts';
import { passwordChangedMail } from './core/mails.ts';
import { type MemberWithPassword, updatePassword } from './member-sql.ts';
import { deleteResets } from './reset-sql.ts';

/**
 * What every way to a new password does: sets it, ends the other sign-ins and what could still change it by mail,
 * tells the member in the drawer and by mail. Undefined when the password was changed since it was read.
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
  if (!(await updatePassword(tx, member.id, member.passwordHash, change.newHash))) return undefined;
  const ended = await deleteAuthSessions(tx, member.id, change.keepSession);
  await deleteResets(tx, member.id);
  await forgetAttempts(tx, 'sign_in', member.referralCode);
  await writeAudit(tx, {
    actor: { kind: 'member', id: member.id },
    action: change.action,
    subject: `member:${member.id}`,
    after: { endedSessions: ended.length },
    address: change.address,
  });
  await notifyMember(tx, {
    memberId: member.id,
    kind: 'password_changed',
    message: 'Your password was changed. All other devices were signed out.',
    mail: passwordChangedMail(context.config.brandName, member.referralCode, context.config.supportEmail),
  });
  return ended;
}
