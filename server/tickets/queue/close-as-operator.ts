import type { DeskTicket } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { notifyMember } from '#server/notify/index.ts';
import { closedNotice } from '../core/ticket-notice.ts';
import { updateTicketState } from '../ticket-sql.ts';
import { auditTicket, type Colleague, changeTicket, type Seen } from './change-ticket.ts';

/**
 * Closes a ticket and tells its member, who opens it again by a reply. One that is closed already stays as it is.
 *
 * Refuses `ticket_not_found`, `ticket_changed`.
 */
export function closeFromDesk(context: Context, colleague: Colleague, seen: Seen): Promise<DeskTicket> {
  return changeTicket(context, seen, async (tx, before) => {
    if (before.state === 'closed') return before;
    const after = await updateTicketState(tx, before, 'closed', context.now());
    await auditTicket(tx, colleague, { action: 'ticket.close', before, after });
    await notifyMember(tx, { memberId: after.member_id, ...closedNotice(after.reference) });
    return after;
  });
}
