import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { deleteFrozen, updateFrozen } from './member-sql.ts';

/**
 * Freezes a member in the transaction of what made it necessary (docs/product.md, section 8): they may sign in and
 * read, open trades settle, nothing can be placed or withdrawn. Freezing twice changes and tells nothing.
 *
 * @param freeze `why` is for the audit log, not for the member; `address` is the network address of the request
 * @returns false when the member was frozen before
 */
export async function freezeMember(
  tx: Tx,
  freeze: {
    readonly memberId: bigint;
    readonly actor: Actor;
    readonly why: string;
    readonly now: Date;
    readonly address?: string;
  },
): Promise<boolean> {
  const { memberId, actor, why, now, address } = freeze;
  if (!(await updateFrozen(tx, memberId, now))) return false;
  await writeAudit(tx, {
    actor,
    action: 'member.freeze',
    subject: `member:${memberId}`,
    before: { frozen: false },
    after: { frozen: true, why },
    ...(address === undefined ? {} : { address }),
  });
  await notifyMember(tx, {
    memberId,
    kind: 'account_frozen',
    message: 'Your account was frozen. Please write to support.',
    mail: {
      subject: 'Your account was frozen',
      text: 'Your account was frozen. You can sign in and read, and open trades settle as always.\n\nPlease write to support.\n',
    },
  });
  return true;
}

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
