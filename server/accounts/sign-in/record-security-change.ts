import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import type { AccountEmail } from '../core/emails.ts';
import { type Member, updateSecurityChanged } from '../members/members.ts';
import { deletePasskeyChallenges } from '../passkeys/ceremonies.ts';
import { deleteMailed } from '../passwords/reset-sql.ts';
import { deleteSetUp } from '../two-factor/second-factor.ts';
import { deleteSessions } from './auth-session-sql.ts';
import { notifySecurity } from './notify-security.ts';
import { deleteChallenges } from './sign-in-challenge.ts';

export type SecurityChange = {
  /** The sign-in that stays; null ends all. */
  readonly keepSession: bigint | null;
  /** For the audit log: `member.change_password`. */
  readonly action: string;
  /** The notification kind: `password_changed`. */
  readonly kind: string;
  readonly message: string;
  readonly mail: AccountEmail;
  /** The new email address, if it changes. */
  readonly alsoTo?: string;
  /** Network address of the request. */
  readonly address: string | undefined;
  /** Who made it, if not the member, and what the audit entry adds. */
  readonly actor?: Actor;
  readonly logged?: object;
};

/**
 * The consequences of every security change, in its transaction: other sign-ins, pending challenges, pending set-ups
 * and emailed codes end; withdrawals wait for a day; it is audited, and the member is notified in the app and by email.
 *
 * @returns hashes of the tokens that ended, for the caller cache
 */
export async function recordSecurityChange(
  context: Context,
  tx: Tx,
  member: Pick<Member, 'id'>,
  change: SecurityChange,
): Promise<Buffer[]> {
  const { id: memberId } = member;
  await updateSecurityChanged(tx, memberId, context.now());
  const ended = await deleteSessions(tx, { memberId }, change.keepSession);
  await deleteChallenges(tx, { memberId });
  await deletePasskeyChallenges(tx, { memberId });
  await deleteSetUp(tx, { memberId });
  await deleteMailed(tx, memberId);
  const { kind, message, mail, alsoTo, action, address, actor = { kind: 'member', id: memberId } } = change;
  const after = { endedSessions: ended.length, ...change.logged };
  await writeAudit(tx, { actor, action, subject: `member:${memberId}`, after, address });
  await notifySecurity(context, tx, { memberId, kind, message, mail, alsoTo });
  return ended;
}
