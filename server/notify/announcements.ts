import { sql } from 'kysely';
import type { Announcement } from '#contract/operator/announcements.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { lockRecipient } from './forget-member.ts';

/** Current announcements, and which of them this member dismissed. */
export async function listOwnAnnouncements({ db, now }: Context, memberId: bigint): Promise<Announcement[]> {
  const rows = await listInForce(db, memberId, now());
  return rows.map((row) => ({
    id: row.id.toString(),
    title: row.title,
    text: row.text,
    from: row.begins_at.toISOString(),
    to: row.ends_at.toISOString(),
    dismissed: row.is_dismissed,
  }));
}

/**
 * Dismisses an announcement on all devices. Idempotent.
 *
 * Refuses `announcement_not_found`, also for one that is over or has not started.
 */
export async function dismissAnnouncement(context: Context, memberId: bigint, id: bigint): Promise<void> {
  const isThere = await inTransaction(context.db, async (tx) => {
    await lockRecipient(tx, memberId);
    return insertDismissal(tx, memberId, id, context.now());
  });
  if (!isThere) throw new Refused('announcement_not_found');
}

export type AnnouncementRow = {
  readonly id: bigint;
  readonly title: string;
  readonly text: string;
  /** Real time, as all instants here. */
  readonly begins_at: Date;
  readonly ends_at: Date;
  readonly written_by: bigint;
  readonly written_at: Date;
  readonly ended_by: bigint | null;
  readonly ended_at: Date | null;
};

const columns = sql`
  a.id, a.title, a.text, a.begins_at, a.ends_at, a.written_by, a.written_at, a.ended_by, a.ended_at`;

const isInForce = (now: Date) => sql`a.ended_at is null and a.begins_at <= ${now} and a.ends_at > ${now}`;

type ShownAnnouncement = AnnouncementRow & { readonly is_dismissed: boolean };

/** Current ones, latest start first, and whether this member dismissed them. */
const listInForce = (db: Db, memberId: bigint, now: Date) =>
  listRows(db)<ShownAnnouncement>`
    select ${columns}, exists (
      select from notify.announcement_dismissal d where d.member_id = ${memberId} and d.announcement_id = a.id) as is_dismissed
    from notify.announcement a where ${isInForce(now)} order by a.begins_at desc, a.id desc`;

/** Dismisses a current one. Idempotent. @returns whether it exists */
const insertDismissal = (tx: Tx, memberId: bigint, id: bigint, now: Date) =>
  hasRow(tx)`
    with shown as (select a.id from notify.announcement a where a.id = ${id} and ${isInForce(now)}),
    dismissed as (
      insert into notify.announcement_dismissal (member_id, announcement_id, dismissed_at)
      select ${memberId}, id, ${now} from shown on conflict do nothing)
    select 1 from shown`;

/** All announcements, newest first, or the one with an id. */
export const listAnnouncements = (
  db: Db,
  {
    id,
    before,
    limit,
  }: { readonly id: string | undefined; readonly before: bigint | undefined; readonly limit: number },
) =>
  listRows(db)<AnnouncementRow>`
    select ${columns} from notify.announcement a
    where (${before ?? null}::bigint is null or a.id < ${before ?? null}) and a.id = coalesce(${id ?? null}::bigint, a.id)
    order by a.id desc limit ${limit}`;

type NewAnnouncement = {
  readonly title: string;
  readonly text: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly operatorId: bigint;
  readonly writtenAt: Date;
};

export const insertAnnouncement = (tx: Tx, draft: NewAnnouncement) =>
  getRow(tx)<AnnouncementRow>`
    insert into notify.announcement as a (title, text, begins_at, ends_at, written_by, written_at)
    values (${draft.title}, ${draft.text}, ${draft.beginsAt}, ${draft.endsAt}, ${draft.operatorId}, ${draft.writtenAt})
    returning ${columns}`;

/** Serializes decisions about one announcement. */
export const lockAnnouncement = (tx: Tx, id: bigint) =>
  findRow(tx)<AnnouncementRow>`
    select ${columns} from notify.announcement a where a.id = ${id} for update`;

export const updateEnded = (tx: Tx, id: bigint, operatorId: bigint, now: Date) =>
  getRow(tx)<AnnouncementRow>`
    update notify.announcement a set ended_by = ${operatorId}, ended_at = ${now} where a.id = ${id}
    returning ${columns}`;
