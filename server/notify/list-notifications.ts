import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { countUnread, listNotifications, type NotificationRow } from './notification-sql.ts';

export type NotificationPage = { items: NotificationRow[]; nextCursor: string | null; unread: number };

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
