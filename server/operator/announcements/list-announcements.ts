import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { AnnouncementState, announcementDesk, DeskAnnouncement } from '#contract/operator/announcements.ts';
import { listOperatorNames } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { type AnnouncementRow, listAnnouncements } from '#server/notify/index.ts';

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

/** With the names of who wrote and who ended them. */
async function showAnnouncements(db: Db, rows: readonly AnnouncementRow[], now: Date): Promise<DeskAnnouncement[]> {
  const names = await listOperatorNames(
    db,
    rows.flatMap((row) => [row.written_by, row.ended_by].filter((id) => id !== null)),
  );
  const person = (id: bigint) => ({ id: id.toString(), name: names.get(id) ?? '' });
  return rows.map((row) => ({
    id: row.id.toString(),
    title: row.title,
    text: row.text,
    from: row.begins_at.toISOString(),
    to: row.ends_at.toISOString(),
    state: stateOf(row, now),
    written_by: person(row.written_by),
    written_at: row.written_at.toISOString(),
    ended_by: row.ended_by === null ? null : person(row.ended_by),
    ended_at: row.ended_at?.toISOString() ?? null,
  }));
}

export async function showAnnouncement({ db, now }: Context, row: AnnouncementRow): Promise<DeskAnnouncement> {
  const [shown] = await showAnnouncements(db, [row], now());
  return shown as DeskAnnouncement;
}

/** By its period, unless somebody ended it before its time. */
export function stateOf({ begins_at, ends_at, ended_at }: AnnouncementRow, now: Date): AnnouncementState {
  if (ended_at !== null) return 'ended';
  if (ends_at <= now) return 'over';
  return begins_at > now ? 'waiting' : 'in_force';
}
