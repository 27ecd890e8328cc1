import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { announcementDesk } from '#contract/operator/announcements.ts';
import type { Context } from '#server/context.ts';
import { listAnnouncements } from '#server/notify/index.ts';
import { cutPage } from '../core/id-cursor.ts';
import { readCursor } from '../read-cursor.ts';
import { showAnnouncements } from './show-announcements.ts';

type ListDeskAnnouncements = typeof announcementDesk.listDeskAnnouncements;

/** A page of all announcements, newest first. */
export async function listDeskAnnouncements(
  { db, now }: Context,
  { cursor, limit }: QueryOf<ListDeskAnnouncements>,
): Promise<DataOf<ListDeskAnnouncements>> {
  const found = await listAnnouncements(db, { before: readCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit);
  return { items: await showAnnouncements(db, rows, now()), next_cursor: nextCursor };
}
