import type { BodyOf, DataOf, QueryOf } from '#contract/endpoint.ts';
import {
  type AnnouncementProposal,
  type AnnouncementState,
  type OperatorAnnouncement,
  operatorAnnouncements,
} from '#contract/operator/announcements.ts';
import type { Proposal } from '#contract/operator/proposals.ts';
import { findOperator, nameActors, operators } from '#server/accounts/index.ts';
import {
  actingAs,
  decide,
  type Executor,
  type ListedKind,
  type OperatorActor,
  plainKind,
  propose,
  showProposal,
} from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  type AnnouncementRow,
  insertAnnouncement,
  listAnnouncements,
  lockAnnouncement,
  updateEnded,
} from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';

type ListOperatorAnnouncements = typeof operatorAnnouncements.listOperatorAnnouncements;
type WriteAnnouncement = typeof operatorAnnouncements.writeAnnouncement;

/** A page of all announcements, newest first, or one of them. */
export async function listOperatorAnnouncements(
  { db, now }: Context,
  { id, cursor, limit }: QueryOf<ListOperatorAnnouncements>,
): Promise<DataOf<ListOperatorAnnouncements>> {
  const found = await listAnnouncements(db, { id, before: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showAnnouncements(db, rows, now()), next_cursor: nextCursor };
}

type Notice = {
  readonly title: string;
  readonly text: string;
  /** Null, or a time in the past: published at once. */
  readonly from: Date | null;
  readonly to: Date;
};

/**
 * Shows an announcement to all members for a period of real time (docs/product.md, section 9, "Announcements"). An
 * admin publishes at once; a support operator's announcement needs an admin's approval. It can be ended early but never
 * edited. A start in the past becomes now, so that nothing is dated before its publication.
 *
 * Refuses `period_turned`, `period_over`, and whatever `decide` refuses.
 */
export function writeAnnouncement(
  context: Context,
  actor: OperatorActor,
  { title, text, from, to, otp }: BodyOf<WriteAnnouncement>,
): Promise<DataOf<WriteAnnouncement>> {
  const notice: Notice = { title, text, from: from === undefined ? null : new Date(from), to: new Date(to) };
  return decide(context, actor, {
    operators,
    roles: operatorAnnouncements.writeAnnouncement.access,
    otp,
    precheck: async () => refuseUnlessAhead(notice, context.now()),
    lock: async () => undefined,
    execute: async (tx) => {
      const now = context.now();
      // Again, because it may have ended while the code was checked.
      refuseUnlessAhead(notice, now);
      if ((await findOperator(tx, actor.operatorId))?.role !== 'support') {
        const { operatorId: writtenBy } = actor;
        const row = await publishAnnouncement(tx, { ...notice, writtenBy, executor: actingAs(actor), now });
        return { announcement: await showAnnouncement({ ...context, db: tx }, row), proposal: null };
      }
      return { announcement: null, proposal: await proposeAnnouncement(tx, context, actor, notice) };
    },
  });
}

function refuseUnlessAhead({ from, to }: Notice, now: Date): void {
  if (from !== null && to <= from) throw new Refused('period_turned');
  if (to <= now) throw new Refused('period_over');
}

type Publication = { readonly writtenBy: bigint; readonly executor: Executor; readonly now: Date };

/** Publishes an announcement in the decision's transaction. The caller has checked that it ends after `now`. */
export async function publishAnnouncement(
  tx: Tx,
  { title, text, from, to, writtenBy, executor, now }: Notice & Publication,
): Promise<AnnouncementRow> {
  const beginsAt = from === null || from < now ? now : from;
  const written = await insertAnnouncement(tx, {
    title,
    text,
    beginsAt,
    endsAt: to,
    operatorId: writtenBy,
    writtenAt: now,
  });
  await writeAudit(tx, {
    ...executor,
    action: 'announcement.write',
    subject: `announcement:${written.id}`,
    after: { title, text, beginsAt, endsAt: to, writtenBy },
  });
  return written;
}

type Payload = {
  readonly title: string;
  readonly text: string;
  readonly beginsAt: string | null;
  readonly endsAt: string;
};
type Shown = Omit<AnnouncementProposal, keyof Proposal>;

/**
 * An announcement proposed by a support operator. Members see it, unchanged, once an admin approves it.
 *
 * Approval refuses `announcement_over` if its period has passed meanwhile.
 */
export const announcementKind: ListedKind<Payload, Shown> = {
  ...plainKind('announcement'),
  subject: 'announcement_proposal',
  roles: operatorAnnouncements.approveAnnouncement.access,
  proposers: operatorAnnouncements.writeAnnouncement.access,
  operators,
  execute: async (tx, context, { payload, proposedBy }, executor) => {
    const { title, text, beginsAt, endsAt } = payload;
    const notice = { title, text, from: beginsAt === null ? null : new Date(beginsAt), to: new Date(endsAt) };
    const now = context.now();
    if (notice.to <= now) throw new Refused('announcement_over');
    const { id } = await publishAnnouncement(tx, { ...notice, writtenBy: proposedBy, executor, now });
    return { resultId: id, logged: { announcementId: id, proposedBy } };
  },
  show: async (_db, proposals) =>
    proposals.map(({ payload: { title, text, beginsAt, endsAt }, resultId }) => ({
      title,
      text,
      from: beginsAt,
      to: endsAt,
      announcement_id: resultId?.toString() ?? null,
    })),
};

/** Stores the proposal in the caller's transaction. */
export async function proposeAnnouncement(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  { title, text, from, to }: Notice,
): Promise<AnnouncementProposal> {
  const payload = { title, text, beginsAt: from?.toISOString() ?? null, endsAt: to.toISOString() };
  const proposal = await propose(tx, context, announcementKind, actor, { payload, reason: title });
  return showProposal(tx, announcementKind, proposal);
}

/**
 * Ends an announcement early: no member sees it from now on.
 *
 * Refuses `announcement_not_found`, `announcement_over`.
 */
export async function endAnnouncement(
  context: Context,
  actor: OperatorActor,
  id: bigint,
): Promise<OperatorAnnouncement> {
  const now = context.now();
  const row = await inTransaction(context.db, async (tx) => {
    const found = orRefuse(await lockAnnouncement(tx, id), 'announcement_not_found');
    const state = stateOf(found, now);
    if (state === 'over' || state === 'ended') throw new Refused('announcement_over');
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'announcement.end',
      subject: `announcement:${id}`,
      before: { state, endsAt: found.ends_at },
      after: { state: 'ended' },
    });
    return updateEnded(tx, id, actor.operatorId, now);
  });
  return showAnnouncement(context, row);
}

/** With the names of its author and of the operator who ended it. */
async function showAnnouncements(db: Db, rows: readonly AnnouncementRow[], now: Date): Promise<OperatorAnnouncement[]> {
  const ids = rows.flatMap((row) => [row.written_by, row.ended_by]);
  const person = await nameActors(db, ids);
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

/** By its period, unless an operator ended it early. */
function stateOf({ begins_at, ends_at, ended_at }: AnnouncementRow, now: Date): AnnouncementState {
  if (ended_at !== null) return 'ended';
  if (ends_at <= now) return 'over';
  return begins_at > now ? 'waiting' : 'in_force';
}
