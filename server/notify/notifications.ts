import type { Notification } from '#contract/notify.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { countUnread, listNotifications, type NotificationRow, updateRead } from './notification-sql.ts';

type NotificationPage = { items: NotificationRow[]; nextCursor: string | null; unread: number };

/** One page of a member's notifications, newest first, and how many are unread in all. */
export async function findNotificationPage(
  db: Db,
  memberId: bigint,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<NotificationPage> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const found = await listNotifications(db, memberId, before, page.limit + 1);
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor, unread: await countUnread(db, memberId) };
}

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

export const showNotification = (row: NotificationRow): Notification => ({
  id: row.id.toString(),
  message: row.message,
  createdAt: row.created_at.toISOString(),
  read: row.read_at !== null,
});
