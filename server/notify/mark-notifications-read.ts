import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { countUnread, updateRead } from './notification-sql.ts';

/**
 * Marks all of a member's notifications up to and including one as read, so that what arrived after the list was
 * shown stays unread.
 *
 * @returns how many are unread now
 */
export function markNotificationsRead(context: Context, memberId: bigint, upTo: bigint): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    await updateRead(tx, memberId, upTo, context.now());
    return countUnread(tx, memberId);
  });
}
