import type { DataOf } from '#contract/endpoint.ts';
import type { support } from '#contract/tickets/tickets.ts';
import { getMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { listAttachments } from './attachment-sql.ts';
import { listMessages, listUnreadOfMember } from './message-sql.ts';
import { listOperatorNames, showMessage, showTickets } from './show-ticket.ts';
import { findMemberTicket } from './ticket-sql.ts';

type Thread = DataOf<typeof support.getTicketThread>;

/**
 * One ticket of the member with its messages, oldest first, as of one moment. Notes among operators are not in it, and
 * who answered is shown by their first name.
 *
 * Refuses `ticket_not_found`, also for a ticket of somebody else.
 */
export function getTicketThread({ db }: Context, memberId: bigint, id: bigint): Promise<Thread> {
  return inSnapshot(db, async (tx) => {
    const row = await findMemberTicket(tx, memberId, id);
    if (row === undefined) throw new Refused('ticket_not_found');
    const messages = await listMessages(tx, id, false);
    const attachments = await listAttachments(
      tx,
      messages.map((message) => message.id),
    );
    const [ticket] = showTickets([row], await listUnreadOfMember(tx, [id]));
    const operators = await listOperatorNames(
      tx,
      messages.map((message) => message.operator_id),
    );
    const writers = { member: (await getMember(tx, memberId)).name, operators: firstNames(operators) };
    return {
      ticket: ticket as Thread['ticket'],
      messages: messages.map((message) => showMessage(message, attachments, row, writers)),
    };
  });
}

const firstNames = (names: ReadonlyMap<bigint, string>): Map<bigint, string> =>
  new Map([...names].map(([id, name]) => [id, name.split(' ')[0] as string]));
