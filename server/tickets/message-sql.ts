import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, getRow, getValue, hasRow, listRows } from '#server/db/rows.ts';

export type MessageRow = {
  readonly id: bigint;
  readonly ticket_id: bigint;
  readonly author: 'member' | 'support';
  readonly operator_id: bigint | null;
  readonly is_private: boolean;
  readonly text: string;
  readonly created_at: Date;
};

const columns = sql`id, ticket_id, author, operator_id, is_private, text, created_at`;

export type NewMessage = {
  readonly ticketId: bigint;
  /** The operator who answers; undefined for the member. */
  readonly operatorId: bigint | undefined;
  readonly isPrivate: boolean;
  readonly text: string;
  readonly now: Date;
};

export async function insertMessage(tx: Tx, draft: NewMessage): Promise<MessageRow> {
  const author = draft.operatorId === undefined ? 'member' : 'support';
  return getRow(tx)<MessageRow>`
    insert into support.message (ticket_id, author, operator_id, is_private, text, created_at)
    values (${draft.ticketId}, ${author}, ${draft.operatorId ?? null}, ${draft.isPrivate}, ${draft.text}, ${draft.now})
    returning ${columns}`;
}

/** Oldest first; private notes only on request. */
export const listMessages = (db: Db, ticketId: bigint, withPrivate: boolean) =>
  listRows(db)<MessageRow>`
    select ${columns} from support.message
    where ticket_id = ${ticketId} and (not is_private or ${withPrivate}::boolean) order by id`;

export type Unread = { readonly ticket_id: bigint; readonly unread: number };

/** The number of support messages that the member has not read, for each of these tickets with at least one. */
export const listUnreadOfMember = (db: Db, ticketIds: readonly bigint[]) =>
  listRows(db)<Unread>`
    select t.id as ticket_id, count(*)::int as unread
    from support.ticket t join support.message m on m.ticket_id = t.id and m.id > t.member_read_id
    where t.id = any(${ticketIds}::bigint[]) and m.author = 'support' and not m.is_private
    group by t.id`;

/** The number of member messages that no operator has read, for each of these tickets with at least one. */
export const listUnreadOfSupport = (db: Db, ticketIds: readonly bigint[]) =>
  listRows(db)<Unread>`
    select t.id as ticket_id, count(*)::int as unread
    from support.ticket t join support.message m on m.ticket_id = t.id and m.id > t.support_read_id
    where t.id = any(${ticketIds}::bigint[]) and m.author = 'member'
    group by t.id`;

/** The time of the member's first message after the given one; null if there is none. */
export const findWrittenAfter = (tx: Tx, ticketId: bigint, messageId: bigint) =>
  findValue(tx)<Date | null>`
    select min(created_at) from support.message
    where ticket_id = ${ticketId} and id > ${messageId} and author = 'member'`;

/** Whether an operator wrote after the given message, to the member or privately. */
export const hasSupportWrittenAfter = async (tx: Tx, ticketId: bigint, messageId: bigint): Promise<boolean> =>
  (await findValue(tx)<bigint>`
    select id from support.message
    where ticket_id = ${ticketId} and id > ${messageId} and author = 'support' limit 1`) !== undefined;

export const countUnreadOfMember = (db: Db, memberId: bigint): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as unread
    from support.ticket t join support.message m on m.ticket_id = t.id and m.id > t.member_read_id
    where t.member_id = ${memberId} and m.author = 'support' and not m.is_private`;

/** Advances the member's read mark to the newest message up to `upTo`; never moves it back. */
export const markReadByMember = (tx: Tx, ticketId: bigint, upTo: bigint) =>
  execute(tx)`
    update support.ticket t set member_read_id = seen.id
    from (select max(id) as id from support.message
          where ticket_id = ${ticketId} and id <= ${upTo}) seen
    where t.id = ${ticketId} and t.member_read_id < seen.id`;

/** False if nothing new was read; never moves the mark back. */
export const markReadBySupport = (tx: Tx, ticketId: bigint, upTo: bigint) =>
  hasRow(tx)`
    update support.ticket set support_read_id = ${upTo}
    where id = ${ticketId} and support_read_id < ${upTo} returning 1`;
