import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { support, supportDesk } from '#contract/tickets/tickets.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { readTicketCursor, writeTicketCursor } from '../core/ticket-cursor.ts';
import { listMemberTickets } from '../ticket-sql.ts';
import { showDeskTickets } from './show-queued-ticket.ts';

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
