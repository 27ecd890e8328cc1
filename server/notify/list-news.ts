import type { Notification } from '#contract/notify.ts';
import type { Db } from '#server/db/connect.ts';
import { countUnreadOf, listNotificationsOf } from './notification-sql.ts';
import { showNotification } from './notifications.ts';

export type News = { readonly unread: number; readonly notifications: ReadonlyMap<bigint, Notification> };

/**
 * Notifications of several members at once, by their ids, and how many are unread of each member. A member for whom no
 * notification is wanted is asked for with an empty list.
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
