import { sql } from 'kysely';
import type { Ticket } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { listUnreadOfMember } from './message-sql.ts';
import { showTickets } from './show-ticket.ts';
import { lockMemberTicket, updateTicketState } from './ticket-sql.ts';

/**
 * Closes a ticket of the member; said twice it changes nothing. A reply opens it again.
 *
 * Refuses `ticket_not_found`, also for a ticket of somebody else.
 */
export function closeTicket(context: Context, memberId: bigint, id: bigint): Promise<Ticket> {
  return inTransaction(context.db, async (tx) => {
    const before = await lockMemberTicket(tx, memberId, id);
    if (before === undefined) throw new Refused('ticket_not_found');
    const row = before.state === 'closed' ? before : await updateTicketState(tx, before, 'closed', context.now());
    const [ticket] = showTickets([row], await listUnreadOfMember(tx, [id]));
    return ticket as Ticket;
  });
}

/**
 * A step of closing an account: nobody is there any more to read an answer, so tickets that are open are closed with it.
 * What was written stays: messages are never changed (docs/security.md, "Personal data").
 */
export async function closeMemberTickets(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await sql`
    update support.ticket
    set state = 'closed', waiting_since = null, closed_at = ${now}, updated_at = ${now}, version = version + 1
    where member_id = ${memberId} and state <> 'closed'`.execute(tx);
}
