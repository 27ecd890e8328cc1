import type { Announcement } from '#contract/operator/announcements.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { insertDismissal, listInForce } from './announcement-sql.ts';

/** What all members are told at this moment, and what of it this one put away. */
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
 * Puts an announcement away: it is no longer shown above the pages, on no device. Said twice it is said once.
 *
 * Refuses `announcement_not_found`, also for one that is over or has not begun.
 */
export async function dismissAnnouncement(context: Context, memberId: bigint, id: bigint): Promise<void> {
  const isThere = await inTransaction(context.db, (tx) => insertDismissal(tx, memberId, id, context.now()));
  if (!isThere) throw new Refused('announcement_not_found');
}
