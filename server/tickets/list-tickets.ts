import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { support } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import { readTicketCursor, writeTicketCursor } from './core/ticket-cursor.ts';
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
  const after = readCursor(cursor, readTicketCursor);
  const found = await listMemberTickets(db, { memberId, state, after, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id, updated_at: at }) => writeTicketCursor({ at, id }));
  const ids = rows.map((row) => row.id);
  const [unreadOf, unread] = await Promise.all([listUnreadOfMember(db, ids), countUnreadOfMember(db, memberId)]);
  return { items: showTickets(rows, unreadOf), next_cursor: nextCursor, unread };
}
