import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { support } from '#contract/tickets/tickets.ts';
import { getMember, listOperatorNames } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { type Download, findMemberDownload, listAttachments } from './attachment-sql.ts';
import { countUnreadOfMember, listMessages, listUnreadOfMember, markReadByMember } from './message-sql.ts';
import { showMessage, showTickets } from './show-ticket.ts';
import {
  findMemberTicket,
  listMemberTickets,
  lockMemberTicket,
  readTicketCursor,
  type TicketRow,
  writeTicketCursor,
} from './ticket-sql.ts';

type ListTickets = typeof support.listTickets;

/** A page of the member's tickets, last changed first, and the number of unread support messages in all of them. */
export async function listTickets(
  { db }: Context,
  memberId: bigint,
  { cursor, limit, state }: QueryOf<ListTickets>,
): Promise<DataOf<ListTickets>> {
  const after = readCursor(cursor, readTicketCursor);
  const found = await listMemberTickets(db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id, updated_at: at }) => writeTicketCursor({ at, id }));
  const ids = rows.map((row) => row.id);
  const [unreadOf, unread] = await Promise.all([listUnreadOfMember(db, ids), countUnreadOfMember(db, memberId)]);
  return { items: showTickets(rows, unreadOf), next_cursor: nextCursor, unread };
}

type Thread = DataOf<typeof support.getTicketThread>;

/**
 * The member's ticket in one snapshot, messages oldest first, without private notes; operators by first name.
 *
 * Refuses `ticket_not_found`, also for another member's ticket.
 */
export function getTicketThread({ db }: Context, memberId: bigint, id: bigint): Promise<Thread> {
  return inSnapshot(db, async (tx) => {
    const row = orRefuse(await findMemberTicket(tx, memberId, id), 'ticket_not_found');
    const { messages, attachments, writers } = await readMessages(tx, row, false);
    const [ticket] = showTickets([row], await listUnreadOfMember(tx, [id]));
    const shown = { ...writers, operators: firstNames(writers.operators) };
    return {
      ticket: ticket as Thread['ticket'],
      messages: messages.map((message) => showMessage(message, attachments, row, shown)),
    };
  });
}

/** The messages of a ticket, oldest first, with their attachments and the full names of their authors. */
export async function readMessages(tx: Tx, { id, member_id }: TicketRow, withNotes: boolean) {
  const messages = await listMessages(tx, id, withNotes);
  const ids = messages.map((message) => message.id);
  const attachments = await listAttachments(tx, ids);
  const authors = messages.map((message) => message.operator_id);
  const operators = await listOperatorNames(tx, authors);
  return { messages, attachments, writers: { member: (await getMember(tx, member_id)).name, operators } };
}

const firstNames = (names: ReadonlyMap<bigint, string>): Map<bigint, string> =>
  new Map([...names].map(([id, name]) => [id, name.split(' ')[0] as string]));

/**
 * An attachment in a member's own ticket. Refuses `attachment_not_found`, also for other members' and private notes'.
 */
export const getAttachment = async ({ db }: Context, memberId: bigint, id: bigint): Promise<Download> =>
  orRefuse(await findMemberDownload(db, memberId, id), 'attachment_not_found');

/**
 * Marks a ticket as read up to and including a message; the mark never moves back. Returns the number of support
 * messages still unread in all tickets.
 *
 * Refuses `ticket_not_found`, also for another member's ticket.
 */
export function markTicketRead(
  { db }: Context,
  memberId: bigint,
  seen: { readonly ticketId: bigint; readonly upTo: bigint },
): Promise<{ unread: number }> {
  return inTransaction(db, async (tx) => {
    const ticket = orRefuse(await lockMemberTicket(tx, memberId, seen.ticketId), 'ticket_not_found');
    await markReadByMember(tx, ticket.id, seen.upTo);
    return { unread: await countUnreadOfMember(tx, memberId) };
  });
}
