import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { supportDesk } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import { readTicketCursor, writeTicketCursor } from '../core/ticket-cursor.ts';
import type { TicketRow } from '../ticket-sql.ts';
import { listDeskTicketRows } from './queue-ticket-sql.ts';
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
