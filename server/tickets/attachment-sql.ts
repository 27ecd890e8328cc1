import { sql } from 'kysely';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
import type { ReadAttachment } from './core/read-attachment.ts';

export type AttachmentRow = {
  readonly id: bigint;
  readonly message_id: bigint;
  readonly name: string;
  readonly type: AttachmentType;
  readonly bytes: number;
};

const columns = sql`id, message_id, name, type, bytes`;

/**
 * Content travels to and from the database as base64: the embedded engine takes seconds to parse 5 MB of binary
 * parameters and blocks all other queries meanwhile.
 */
export const insertAttachment = (tx: Tx, messageId: bigint, file: ReadAttachment): Promise<AttachmentRow> =>
  getRow(tx)<AttachmentRow>`
    with attachment as (
      insert into support.attachment (message_id, name, type, bytes)
      values (${messageId}, ${file.name}, ${file.type}, ${file.content.length})
      returning ${columns}),
    content as (
      insert into support.attachment_content (attachment_id, content)
      select id, decode(${Buffer.from(file.content).toString('base64')}, 'base64') from attachment)
    select ${columns} from attachment`;

/** In the order in which they were sent. */
export const listAttachments = (db: Db, messageIds: readonly bigint[]) =>
  listRows(db)<AttachmentRow>`
    select ${columns} from support.attachment where message_id = any(${messageIds}::bigint[]) order by id`;

export type Download = { readonly name: string; readonly ticket_id: bigint; readonly content: Uint8Array };

/** Only of a message that the member can see, in one of their own tickets. */
export async function findMemberDownload(db: Db, memberId: bigint, id: bigint): Promise<Download | undefined> {
  const row = await findRow(db)<Stored>`
    select a.name, m.ticket_id, encode(c.content, 'base64') as content
    from support.attachment a
    join support.message m on m.id = a.message_id and not m.is_private
    join support.ticket t on t.id = m.ticket_id and t.member_id = ${memberId}
    join support.attachment_content c on c.attachment_id = a.id
    where a.id = ${id}`;
  return readStored(row);
}

export async function findDownload(db: Db, id: bigint): Promise<Download | undefined> {
  const row = await findRow(db)<Stored>`
    select a.name, m.ticket_id, encode(c.content, 'base64') as content
    from support.attachment a
    join support.message m on m.id = a.message_id
    join support.attachment_content c on c.attachment_id = a.id
    where a.id = ${id}`;
  return readStored(row);
}

type Stored = Omit<Download, 'content'> & { readonly content: string };

const readStored = (row: Stored | undefined): Download | undefined =>
  row && { ...row, content: Buffer.from(row.content, 'base64') };
