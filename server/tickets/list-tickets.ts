import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { support } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { cutTickets, readTicketCursor } from './core/ticket-cursor.ts';
import { countUnreadOfMember, listUnreadOfMember } from './message-sql.ts';
import { showTickets } from './show-ticket.ts';
import { listMemberTickets } from './ticket-sql.ts';

type ListTickets = typeof support.listTickets;

/** A page of the member's tickets, the last changed first, and how many messages of support are unread in all of them. */
export async function listTickets(
  { db }: Context,
  memberId: bigint,
  { cursor, limit, state }: QueryOf<ListTickets>,
): Promise<DataOf<ListTickets>> {
  const after = readTicketCursor(cursor);
  if (after === null) throw new Refused('validation', { field: 'cursor' });
  const found = await listMemberTickets(db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutTickets(found, limit, (row) => ({ at: row.updated_at, id: row.id }));
  const ids = rows.map((row) => row.id);
  const [unreadOf, unread] = await Promise.all([listUnreadOfMember(db, ids), countUnreadOfMember(db, memberId)]);
  return { items: showTickets(rows, unreadOf), next_cursor: nextCursor, unread };
}
