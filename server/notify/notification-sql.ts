import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

type Draft = { readonly memberId: bigint; readonly kind: string; readonly message: string };

export type NotificationRow = { id: bigint; message: string; read_at: Date | null; created_at: Date };

export async function insertNotifications(tx: Tx, drafts: readonly Draft[]): Promise<void> {
  await sql`
    insert into notify.notification (member_id, kind, message)
    select draft.member_id, draft.kind, draft.message
    from unnest(${drafts.map((draft) => draft.memberId)}::bigint[],
                ${drafts.map((draft) => draft.kind)}::text[],
                ${drafts.map((draft) => draft.message)}::text[])
         with ordinality as draft (member_id, kind, message, place)
    order by draft.place`.execute(tx);
}

/** Newest first, those below the given id. */
export async function listNotifications(
  db: Db,
  memberId: bigint,
  before: bigint,
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select id, message, read_at, created_at from notify.notification
    where member_id = ${memberId} and id < ${before}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countUnread(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from notify.notification
    where member_id = ${memberId} and read_at is null`.execute(db);
  return rows[0]?.unread ?? 0;
}

/** Of several members at once: those of the given ids, oldest first. */
export async function listNotificationsOf(
  db: Db,
  wanted: readonly { readonly memberId: bigint; readonly id: bigint }[],
): Promise<(NotificationRow & { member_id: bigint })[]> {
  const { rows } = await sql<NotificationRow & { member_id: bigint }>`
    select n.member_id, n.id, n.message, n.read_at, n.created_at
    from unnest(${wanted.map(({ memberId }) => memberId)}::bigint[], ${wanted.map(({ id }) => id)}::bigint[]) as w (member_id, id)
    join notify.notification n on n.member_id = w.member_id and n.id = w.id
    order by n.id`.execute(db);
  return rows;
}

/** How many are unread of each of these members. */
export async function countUnreadOf(
  db: Db,
  memberIds: readonly bigint[],
): Promise<{ member_id: bigint; unread: number }[]> {
  const { rows } = await sql<{ member_id: bigint; unread: number }>`
    select m.id as member_id, (
      select count(*)::int from notify.notification n where n.member_id = m.id and n.read_at is null) as unread
    from unnest(${[...memberIds]}::bigint[]) as m (id)`.execute(db);
  return rows;
}

export async function updateRead(tx: Tx, memberId: bigint, upTo: bigint, now: Date): Promise<void> {
  await sql`
    update notify.notification set read_at = ${now}
    where member_id = ${memberId} and id <= ${upTo} and read_at is null`.execute(tx);
}
