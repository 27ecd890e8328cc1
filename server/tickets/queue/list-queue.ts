import { sql } from 'kysely';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { TicketState } from '#contract/tickets/ticket-rules.ts';
import type { OperatorTicket, operatorTickets, support } from '#contract/tickets/tickets.ts';
import { type Contact, listContacts, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { listUnreadOfSupport } from '../message-sql.ts';
import { showTickets } from '../show-ticket.ts';
import {
  listMemberTickets,
  readTicketCursor,
  type TicketPlace,
  type TicketRow,
  ticketColumns,
  writeTicketCursor,
} from '../ticket-sql.ts';
import { findTicketReaders, isUnassigned } from './ticket-readers.ts';

type ListOperatorTickets = typeof operatorTickets.listOperatorTickets;

/** A page of all members' tickets: open ones by longest wait, all others by last change. */
export async function listOperatorTickets(
  { db }: Context,
  operatorId: bigint,
  { cursor, limit, state, category, assigned }: QueryOf<ListOperatorTickets>,
): Promise<DataOf<ListOperatorTickets>> {
  const after = readCursor(cursor, readTicketCursor);
  const assignedTo = assigned && (assigned === 'me' ? operatorId : null);
  const found = await listOperatorTicketRows(db, { state, category, assignedTo, after, limit: limit + 1 });
  const placeOf = (row: TicketRow) => ({
    at: (state === 'open' ? row.waiting_since : null) ?? row.updated_at,
    id: row.id,
  });
  const { rows, nextCursor } = cutPage(found, limit, (row) => writeTicketCursor(placeOf(row)));
  return { items: await showOperatorTickets(db, rows), next_cursor: nextCursor };
}

/** Tickets of all members. Those waiting for an answer: longest wait first; all others: last changed first. */
async function listOperatorTicketRows(
  db: Db,
  filter: {
    readonly state: TicketState | undefined;
    readonly category: TicketRow['category'] | undefined;
    /** The assignee; null for unassigned. */
    readonly assignedTo: bigint | null | undefined;
    readonly after: TicketPlace | undefined;
    readonly limit: number;
  },
): Promise<TicketRow[]> {
  const { state, category, assignedTo, after, limit } = filter;
  const assigned =
    assignedTo === undefined
      ? sql`true`
      : assignedTo === null
        ? isUnassigned(await findTicketReaders(db))
        : sql`assigned_to = ${assignedTo}`;
  const isQueue = state === 'open';
  const place = isQueue ? sql`(waiting_since, id)` : sql`(updated_at, id)`;
  const next = after && sql`(${after.at}::timestamptz, ${after.id}::bigint)`;
  return listRows(db)<TicketRow>`
    select ${ticketColumns} from support.ticket
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${category === undefined ? sql`true` : sql`category = ${category}`}
      and ${assigned}
      and ${next === undefined ? sql`true` : isQueue ? sql`${place} > ${next}` : sql`${place} < ${next}`}
    order by ${isQueue ? sql`waiting_since, id` : sql`updated_at desc, id desc`} limit ${limit}`;
}

/** A page of one member's tickets in the operators' view, last changed first. Marks nothing as read. */
export async function listTicketsOfMember(
  db: Db,
  memberId: bigint,
  { cursor, limit, state }: QueryOf<typeof support.listTickets>,
): Promise<DataOf<typeof operatorTickets.listOperatorTickets>> {
  const after = readCursor(cursor, readTicketCursor);
  const found = await listMemberTickets(db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id, updated_at: at }) => writeTicketCursor({ at, id }));
  return { items: await showOperatorTickets(db, rows), next_cursor: nextCursor };
}

/** Tickets in the operators' view, in the given order. */
async function showOperatorTickets(db: Db, rows: readonly TicketRow[]): Promise<OperatorTicket[]> {
  const unread = await listUnreadOfSupport(
    db,
    rows.map((row) => row.id),
  );
  const contacts = await listContacts(db, [...new Set(rows.map((row) => row.member_id))]);
  const readers = new Map((await findTicketReaders(db)).map(({ id, name }) => [id, name]));
  return showTickets(rows, unread).map((ticket, index) => {
    const row = rows[index] as TicketRow;
    const contact = contacts.get(row.member_id) as Contact;
    const reader = row.assigned_to === null ? undefined : readers.get(row.assigned_to);
    return {
      ...ticket,
      version: row.version,
      member: { ...nameMember(contact), closed: contact.closedAt !== null },
      assigned_to: reader === undefined ? null : { id: String(row.assigned_to), name: reader },
      waiting_since: row.waiting_since?.toISOString() ?? null,
    };
  });
}

export async function showOperatorTicket(db: Db, row: TicketRow): Promise<OperatorTicket> {
  const [ticket] = await showOperatorTickets(db, [row]);
  return ticket as OperatorTicket;
}
