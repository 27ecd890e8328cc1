import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { supportDesk } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { cutTickets, readTicketCursor } from '../core/ticket-cursor.ts';
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
  const after = readTicketCursor(cursor);
  if (after === null) throw new Refused('validation', { field: 'cursor' });
  const assignedTo = assigned && (assigned === 'me' ? operatorId : null);
  const found = await listDeskTicketRows(db, { state, category, assignedTo, after, limit: limit + 1 });
  const placeOf = (row: TicketRow) => ({
    at: (state === 'open' ? row.waiting_since : null) ?? row.updated_at,
    id: row.id,
  });
  const { rows, nextCursor } = cutTickets(found, limit, placeOf);
  return { items: await showDeskTickets(db, rows), next_cursor: nextCursor };
}
