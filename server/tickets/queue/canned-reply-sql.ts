import assert from 'node:assert';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type CannedReplyRow = {
  readonly id: bigint;
  readonly title: string;
  readonly text: string;
  readonly updated_at: Date;
};

const columns = sql`id, title, text, updated_at`;

export async function listCannedReplyRows(db: Db): Promise<CannedReplyRow[]> {
  const { rows } = await sql<CannedReplyRow>`
    select ${columns} from support.canned_reply order by lower(title), id`.execute(db);
  return rows;
}

/** Makes those who write canned replies wait for each other: two may bring the same new title. */
export async function lockCannedReplies(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('support.canned_reply', 0))`.execute(tx);
}

export async function findCannedReply(tx: Tx, title: string): Promise<CannedReplyRow | undefined> {
  const { rows } = await sql<CannedReplyRow>`
    select ${columns} from support.canned_reply where title = ${title}`.execute(tx);
  return rows[0];
}

export async function upsertCannedReply(
  tx: Tx,
  reply: { readonly title: string; readonly text: string; readonly operatorId: bigint; readonly now: Date },
): Promise<CannedReplyRow> {
  const { rows } = await sql<CannedReplyRow>`
    insert into support.canned_reply (title, text, updated_by, updated_at)
    values (${reply.title}, ${reply.text}, ${reply.operatorId}, ${reply.now})
    on conflict (title) do update
      set text = excluded.text, updated_by = excluded.updated_by, updated_at = excluded.updated_at
    returning ${columns}`.execute(tx);
  assert(rows[0] !== undefined);
  return rows[0];
}

export async function deleteCannedReplyRow(tx: Tx, id: bigint): Promise<CannedReplyRow | undefined> {
  const { rows } = await sql<CannedReplyRow>`
    delete from support.canned_reply where id = ${id} returning ${columns}`.execute(tx);
  return rows[0];
}
