import { sql } from 'kysely';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { TicketState } from '#contract/tickets/ticket-rules.ts';
import type { support, supportDesk } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { readTicketCursor, type TicketPlace, writeTicketCursor } from '../core/ticket-cursor.ts';
import { listMemberTickets, type TicketRow, ticketColumns } from '../ticket-sql.ts';
import { showDeskTickets } from './show-queued-ticket.ts';

type ListDeskTickets = typeof supportDesk.listDeskTickets;

/** A page of the tickets of all members; of the open ones the longest waiting first, else the last changed first. */
export async function listDeskTickets(
  { db }: Context,
  operatorId: bigint,
  { cursor, limit, state, category, assigned }: QueryOf<ListDeskTickets>,
): Promise<DataOf<ListDeskTickets>> {
  const after = readCursor(cursor, readTicketCursor);
  const assignedTo = assigned && (assigned === 'me' ? operatorId : null);
  const found = await listDeskTicketRows(db, { state, category, assignedTo, after, limit: limit + 1 });
  const placeOf = (row: TicketRow) => ({
    at: (state === 'open' ? row.waiting_since : null) ?? row.updated_at,
    id: row.id,
  });
  const { rows, nextCursor } = cutPage(found, limit, (row) => writeTicketCursor(placeOf(row)));
  return { items: await showDeskTickets(db, rows), next_cursor: nextCursor };
}

/** Of all members. Those that wait for an answer: the longest waiting first; all others: the last changed first. */
async function listDeskTicketRows(
  db: Db,
  filter: {
    readonly state: TicketState | undefined;
    readonly category: TicketRow['category'] | undefined;
    /** Whose; null is nobody's. */
    readonly assignedTo: bigint | null | undefined;
    readonly after: TicketPlace | undefined;
    readonly limit: number;
  },
): Promise<TicketRow[]> {
  const { state, category, assignedTo, after, limit } = filter;
  const isQueue = state === 'open';
  const place = isQueue ? sql`(waiting_since, id)` : sql`(updated_at, id)`;
  const next = after && sql`(${after.at}::timestamptz, ${after.id}::bigint)`;
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from support.ticket
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${category === undefined ? sql`true` : sql`category = ${category}`}
      and ${assignedTo === undefined ? sql`true` : sql`assigned_to is not distinct from ${assignedTo}::bigint`}
      and ${next === undefined ? sql`true` : isQueue ? sql`${place} > ${next}` : sql`${place} < ${next}`}
    order by ${isQueue ? sql`waiting_since, id` : sql`updated_at desc, id desc`} limit ${limit}`.execute(db);
  return rows;
}

/** A page of one member's tickets as the desk sees them, the last changed first. Nothing is marked as read by it. */
export async function listTicketsOfMember(
  db: Db,
  memberId: bigint,
  { cursor, limit, state }: QueryOf<typeof support.listTickets>,
): Promise<DataOf<typeof supportDesk.listDeskTickets>> {
  const after = readCursor(cursor, readTicketCursor);
  const found = await listMemberTickets(db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id, updated_at: at }) => writeTicketCursor({ at, id }));
  return { items: await showDeskTickets(db, rows), next_cursor: nextCursor };
}
