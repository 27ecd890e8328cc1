import { sql } from 'kysely';
import type { CannedReply } from '#contract/tickets/tickets.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';

/** All canned replies, by title. */
export async function listCannedReplies({ db }: Context): Promise<{ items: CannedReply[] }> {
  return { items: (await listCannedReplyRows(db)).map(showCannedReply) };
}

const showCannedReply = (row: CannedReplyRow): CannedReply => ({
  id: row.id.toString(),
  title: row.title,
  text: row.text,
  updated_at: row.updated_at.toISOString(),
});

/** Creates a canned reply, or replaces the one with the same title. */
export function saveCannedReply(
  context: Context,
  actor: OperatorActor,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<CannedReply> {
  return inTransaction(context.db, async (tx) => {
    await lockCannedReplies(tx);
    const before = await findCannedReply(tx, title);
    const after = await upsertCannedReply(tx, { title, text, operatorId: actor.operatorId, now: context.now() });
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'canned_reply.save',
      subject: `canned_reply:${after.id}`,
      before: before && { title, text: before.text },
      after: { title, text },
    });
    return showCannedReply(after);
  });
}

/** Refuses `not_found`. */
export async function deleteCannedReply({ db }: Context, actor: OperatorActor, id: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    const gone = orRefuse(await deleteCannedReplyRow(tx, id), 'not_found');
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'canned_reply.delete',
      subject: `canned_reply:${id}`,
      before: { title: gone.title, text: gone.text },
    });
  });
}

type CannedReplyRow = {
  readonly id: bigint;
  readonly title: string;
  readonly text: string;
  readonly updated_at: Date;
};

const columns = sql`id, title, text, updated_at`;

const listCannedReplyRows = (db: Db) =>
  listRows(db)<CannedReplyRow>`
    select ${columns} from support.canned_reply order by lower(title), id`;

/** Serializes writers of canned replies, because two may create the same title. */
const lockCannedReplies = (tx: Tx) =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('support.canned_reply', 0))`;

const findCannedReply = (tx: Tx, title: string) =>
  findRow(tx)<CannedReplyRow>`
    select ${columns} from support.canned_reply where title = ${title}`;

const upsertCannedReply = (
  tx: Tx,
  reply: { readonly title: string; readonly text: string; readonly operatorId: bigint; readonly now: Date },
): Promise<CannedReplyRow> =>
  getRow(tx)<CannedReplyRow>`
    insert into support.canned_reply (title, text, updated_by, updated_at)
    values (${reply.title}, ${reply.text}, ${reply.operatorId}, ${reply.now})
    on conflict (title) do update
      set text = excluded.text, updated_by = excluded.updated_by, updated_at = excluded.updated_at
    returning ${columns}`;

const deleteCannedReplyRow = (tx: Tx, id: bigint) =>
  findRow(tx)<CannedReplyRow>`
    delete from support.canned_reply where id = ${id} returning ${columns}`;
