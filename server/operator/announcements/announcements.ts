import type { BodyOf, DataOf, QueryOf } from '#contract/endpoint.ts';
import type {
  AnnouncementState,
  OperatorAnnouncement,
  operatorAnnouncements,
} from '#contract/operator/announcements.ts';
import { listOperatorNames } from '#server/accounts/index.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';

type ListOperatorAnnouncements = typeof operatorAnnouncements.listOperatorAnnouncements;

/** A page of all announcements, newest first. */
export async function listOperatorAnnouncements(
  { db, now }: Context,
  { cursor, limit }: QueryOf<ListOperatorAnnouncements>,
): Promise<DataOf<ListOperatorAnnouncements>> {
  const found = await listAnnouncements(db, { before: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showAnnouncements(db, rows, now()), next_cursor: nextCursor };
}

/**
 * Tells all members something, for a while (docs/product.md, section 10). It cannot be changed afterwards, only ended.
 * Its period is real time; what should have begun already begins now, so that nothing is dated before it was written.
 *
 * Refuses `period_turned`, `period_over`.
 */
export async function writeAnnouncement(
  context: Context,
  decider: Decider,
  { title, text, from, to }: BodyOf<typeof operatorAnnouncements.writeAnnouncement>,
): Promise<OperatorAnnouncement> {
  const now = context.now();
  const asked = from === undefined ? now : new Date(from);
  const endsAt = new Date(to);
  if (endsAt <= asked) throw new Refused('period_turned');
  if (endsAt <= now) throw new Refused('period_over');
  const beginsAt = asked < now ? now : asked;
  const row = await inTransaction(context.db, async (tx) => {
    const written = await insertAnnouncement(tx, {
      title,
      text,
      beginsAt,
      endsAt,
      operatorId: decider.operatorId,
      writtenAt: now,
    });
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'announcement.write',
      subject: `announcement:${written.id}`,
      after: { title, text, beginsAt, endsAt },
    });
    return written;
  });
  return showAnnouncement(context, row);
}

/**
 * Ends an announcement before its time: from now on no member is shown it.
 *
 * Refuses `announcement_not_found`, `announcement_over`.
 */
export async function endAnnouncement(context: Context, decider: Decider, id: bigint): Promise<OperatorAnnouncement> {
  const now = context.now();
  const row = await inTransaction(context.db, async (tx) => {
    const found = await lockAnnouncement(tx, id);
    if (found === undefined) throw new Refused('announcement_not_found');
    const state = stateOf(found, now);
    if (state === 'over' || state === 'ended') throw new Refused('announcement_over');
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'announcement.end',
      subject: `announcement:${id}`,
      before: { state, endsAt: found.ends_at },
      after: { state: 'ended' },
    });
    return updateEnded(tx, id, decider.operatorId, now);
  });
  return showAnnouncement(context, row);
}

/** With the names of who wrote and who ended them. */
async function showAnnouncements(db: Db, rows: readonly AnnouncementRow[], now: Date): Promise<OperatorAnnouncement[]> {
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

async function showAnnouncement({ db, now }: Context, row: AnnouncementRow): Promise<OperatorAnnouncement> {
  const [shown] = await showAnnouncements(db, [row], now());
  return shown as OperatorAnnouncement;
}

/** By its period, unless somebody ended it before its time. */
function stateOf({ begins_at, ends_at, ended_at }: AnnouncementRow, now: Date): AnnouncementState {
  if (ended_at !== null) return 'ended';
  if (ends_at <= now) return 'over';
  return begins_at > now ? 'waiting' : 'in_force';
}
