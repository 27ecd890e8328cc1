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

export async function updateRead(tx: Tx, memberId: bigint, upTo: bigint, now: Date): Promise<void> {
  await sql`
    update notify.notification set read_at = ${now}
    where member_id = ${memberId} and id <= ${upTo} and read_at is null`.execute(tx);
}
