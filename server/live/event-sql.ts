import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, getRow, listRows } from '#server/db/rows.ts';
import { notSeen, readSeen, seenNow, type TransactionsSeen, writeSeen } from '#server/db/transactions-seen.ts';
import { type EventTopic, retentionSeconds, type Snapshot } from './cursor.ts';

export type EventKind = EventTopic | 'read' | 'sign_out';

/** Something that happened to one member: the subject is the id of what it happened to. */
export type MemberEvent = { readonly kind: EventKind; readonly memberId: bigint; readonly subjectId: bigint };

/** Events of more members are read only for the members who are connected. */
const FEW = 64;

type Row = {
  readonly startedAt: Date;
  readonly readAt: Date;
  readonly seen: string;
  readonly tx: bigint | null;
  readonly id: bigint | null;
  readonly kind: EventKind | null;
  readonly members: bigint[] | null;
  readonly subjects: bigint[] | null;
};

const snapshot = sql`
  (select pg_postmaster_start_time() as "startedAt", clock_timestamp() as "readAt", ${seenNow} as seen) as snapshot`;

/** What the database has committed so far. */
export async function findSnapshot(db: Db): Promise<Snapshot> {
  const row = await getRow(db)<Row>`select * from ${snapshot}`;
  return snapshotOf(row);
}

/** What became visible since then, in the order of the transactions that wrote it. */
export async function listEvents(
  db: Db,
  since: TransactionsSeen,
): Promise<{ snapshot: Snapshot; events: MemberEvent[]; crowded: CrowdedRow[] }> {
  const rows = await listRows(db)<Row>`
    select snapshot.*, e.tx, e.id, e.kind,
           case when cardinality(e.members) <= ${FEW} then e.members end as members,
           case when cardinality(e.members) <= ${FEW} then e.subjects end as subjects
    from ${snapshot} left join live.event e on ${notSeen(sql`e.tx`, since)}
    order by e.tx, e.id`;
  return {
    snapshot: snapshotOf(rows[0] as Row),
    events: rows.flatMap(pairs),
    crowded: rows.flatMap(({ tx, id, members }) => (tx === null || id === null || members ? [] : [{ tx, id }])),
  };
}

type CrowdedRow = { readonly tx: bigint; readonly id: bigint };

/** The events of these members in rows of many members. */
export async function listEventsOf(
  db: Db,
  rows: readonly CrowdedRow[],
  memberIds: readonly bigint[],
): Promise<MemberEvent[]> {
  if (rows.length === 0) return [];
  return listRows(db)<MemberEvent>`
    select e.kind, told.member_id as "memberId", told.subject_id as "subjectId"
    from live.event e
    cross join lateral unnest(e.members, e.subjects) as told (member_id, subject_id)
    join unnest(${[...memberIds]}::bigint[]) as listening (member_id) on listening.member_id = told.member_id
    where (e.tx, e.id) in (select * from unnest(${rows.map(({ tx }) => tx)}::bigint[], ${rows.map(({ id }) => id)}::bigint[]))
    order by e.tx, e.id`;
}

/** One topic of a resumed socket, and what it has received of it. */
export type Missed = {
  readonly place: number;
  readonly memberId: bigint;
  readonly topic: EventTopic;
  readonly seen: TransactionsSeen;
};

/** Events that each socket has not received yet, up to a snapshot, oldest first. */
export async function listMissed(
  db: Db,
  missed: readonly Missed[],
  upTo: TransactionsSeen,
): Promise<(MemberEvent & { readonly place: number })[]> {
  if (missed.length === 0) return [];
  const oldest = missed.reduce((least, { seen }) => (seen.xmin < least ? seen.xmin : least), upTo.xmax);
  return listRows(db)<MemberEvent & { place: number }>`
    with asked as materialized (
      select * from unnest(${missed.map(({ place }) => place)}::int[], ${missed.map(({ memberId }) => memberId)}::bigint[],
        ${missed.map(({ topic }) => topic)}::text[], ${missed.map(({ seen }) => writeSeen(seen))}::pg_snapshot[])
        as asked (place, member_id, topic, seen)),
    happened as materialized (
      select e.tx, e.id, e.kind, told.member_id, told.subject_id
      from live.event e cross join lateral unnest(e.members, e.subjects) as told (member_id, subject_id)
      where e.tx >= ${oldest}::bigint and not ${notSeen(sql`e.tx`, upTo)}
        and told.member_id in (select member_id from asked))
    select asked.place, happened.kind, happened.member_id as "memberId", happened.subject_id as "subjectId"
    from happened join asked
      on asked.member_id = happened.member_id
      and asked.topic = case happened.kind when 'read' then 'notification' else happened.kind end
    where not pg_visible_in_snapshot(happened.tx::text::xid8, asked.seen)
    order by happened.tx, happened.id`;
}

/** Job: removes events that are too old for any client to resume after. */
export const purgeEvents = ({ db }: Context) =>
  execute(db)`delete from live.event where created_at < now() - make_interval(secs => ${retentionSeconds})`;

export const notify = (db: Db, channel: string) => execute(db)`select pg_notify(${channel}, '')`;

const snapshotOf = ({ startedAt, readAt, seen }: Row): Snapshot => ({ startedAt, readAt, seen: readSeen(seen) });

function pairs({ kind, members, subjects }: Row): MemberEvent[] {
  if (kind === null || members === null || subjects === null) return [];
  return members.map((memberId, index) => ({ kind, memberId, subjectId: subjects[index] as bigint }));
}
