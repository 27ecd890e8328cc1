import type { Notification } from '#contract/notify.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';

type NotificationPage = { items: NotificationRow[]; nextCursor: string | null; unread: number };

/** One page of a member's notifications, newest first, and how many are unread in all. */
export async function findNotificationPage(db: Db, memberId: bigint, page: Paging): Promise<NotificationPage> {
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

type NotificationRow = { id: bigint; message: string; read_at: Date | null; created_at: Date };

/** Newest first, those below the given id. */
const listNotifications = (db: Db, memberId: bigint, before: bigint, limit: number) =>
  listRows(db)<NotificationRow>`
    select id, message, read_at, created_at from notify.notification
    where member_id = ${memberId} and id < ${before}
    order by id desc limit ${limit}`;

const countUnread = (db: Db, memberId: bigint): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as unread from notify.notification
    where member_id = ${memberId} and read_at is null`;

/** Notifications of several members by id, oldest first. */
const listNotificationsOf = (db: Db, wanted: readonly { readonly memberId: bigint; readonly id: bigint }[]) =>
  listRows(db)<NotificationRow & { member_id: bigint }>`
    select n.member_id, n.id, n.message, n.read_at, n.created_at
    from unnest(${wanted.map(({ memberId }) => memberId)}::bigint[], ${wanted.map(({ id }) => id)}::bigint[]) as w (member_id, id)
    join notify.notification n on n.member_id = w.member_id and n.id = w.id
    order by n.id`;

/** Unread notifications of each member. */
const countUnreadOf = (db: Db, memberIds: readonly bigint[]) =>
  listRows(db)<{ member_id: bigint; unread: number }>`
    select m.id as member_id, (
      select count(*)::int from notify.notification n where n.member_id = m.id and n.read_at is null) as unread
    from unnest(${[...memberIds]}::bigint[]) as m (id)`;

const updateRead = (tx: Tx, memberId: bigint, upTo: bigint, now: Date) =>
  execute(tx)`
    update notify.notification set read_at = ${now}
    where member_id = ${memberId} and id <= ${upTo} and read_at is null`;

export type News = { readonly unread: number; readonly notifications: ReadonlyMap<bigint, Notification> };

/**
 * Notifications of several members by id, and the unread count of each member. An empty list requests only the count.
 */
export async function listNews(
  db: Db,
  wanted: ReadonlyMap<bigint, readonly bigint[]>,
): Promise<ReadonlyMap<bigint, News>> {
  if (wanted.size === 0) return new Map();
  const pairs = [...wanted].flatMap(([memberId, ids]) => ids.map((id) => ({ memberId, id })));
  const rows = pairs.length === 0 ? [] : await listNotificationsOf(db, pairs);
  const ofMembers = Map.groupBy(rows, (row) => row.member_id);
  const counts = await countUnreadOf(db, [...wanted.keys()]);
  return new Map(
    counts.map(({ member_id, unread }) => {
      const own = ofMembers.get(member_id) ?? [];
      return [member_id, { unread, notifications: new Map(own.map((row) => [row.id, showNotification(row)])) }];
    }),
  );
}
