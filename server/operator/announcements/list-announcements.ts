import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { announcementDesk } from '#contract/operator/announcements.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { listAnnouncements } from '#server/notify/index.ts';
import { showAnnouncements } from './show-announcements.ts';

type ListDeskAnnouncements = typeof announcementDesk.listDeskAnnouncements;

/** A page of all announcements, newest first. */
export async function listDeskAnnouncements(
  { db, now }: Context,
  { cursor, limit }: QueryOf<ListDeskAnnouncements>,
): Promise<DataOf<ListDeskAnnouncements>> {
  const found = await listAnnouncements(db, { before: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showAnnouncements(db, rows, now()), next_cursor: nextCursor };
}
