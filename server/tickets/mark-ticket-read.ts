import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { countUnreadOfMember, markReadByMember } from './message-sql.ts';
import { lockMemberTicket } from './ticket-sql.ts';

/**
 * Marks what the member has seen in a ticket, up to and including a message; a later mark is never taken back. Answers
 * with how many messages of support are left unread in all tickets.
 *
 * Refuses `ticket_not_found`, also for a ticket of somebody else.
 */
export function markTicketRead(
  { db }: Context,
  memberId: bigint,
  seen: { readonly ticketId: bigint; readonly upTo: bigint },
): Promise<{ unread: number }> {
  return inTransaction(db, async (tx) => {
    const ticket = await lockMemberTicket(tx, memberId, seen.ticketId);
    if (ticket === undefined) throw new Refused('ticket_not_found');
    await markReadByMember(tx, ticket.id, seen.upTo);
    return { unread: await countUnreadOfMember(tx, memberId) };
  });
}
