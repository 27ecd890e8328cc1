import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { deleteFrozen } from './member-sql.ts';

/**
 * Lets a frozen member go on. Said twice it changes and tells nothing.
 *
 * @param release `why` is for the audit log, not for the member; `address` is the network address of the request
 * @returns false when the member was not frozen
 */
export async function unfreezeMember(
  tx: Tx,
  release: { readonly memberId: bigint; readonly actor: Actor; readonly why: string; readonly address: string },
): Promise<boolean> {
  const { memberId, actor, why, address } = release;
  if (!(await deleteFrozen(tx, memberId))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.unfreeze',
    subject: `member:${memberId}`,
    before: { frozen: true },
    after: { frozen: false, why },
    address,
  });
  await notifyMember(tx, {
    memberId,
    kind: 'account_released',
    message: 'Your account is no longer frozen.',
    mail: {
      subject: 'Your account is no longer frozen',
      text: 'Your account is no longer frozen. You can trade, invest and withdraw again.\n',
    },
  });
  return true;
}
