import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { cutPage, readIdCursor } from './core/id-cursor.ts';
import { countUnread, listNotifications, type NotificationRow } from './notification-sql.ts';

export type NotificationPage = { items: NotificationRow[]; nextCursor: string | null; unread: number };

/** One page of a member's notifications, newest first, and how many are unread in all. */
export async function findNotificationPage(
  db: Db,
  memberId: bigint,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<NotificationPage> {
  const before = readIdCursor(page.cursor);
  if (before === null) throw new Refused('validation', { field: 'cursor' });
  const rows = await listNotifications(db, memberId, before, page.limit + 1);
  return { ...cutPage(rows, page.limit), unread: await countUnread(db, memberId) };
}
