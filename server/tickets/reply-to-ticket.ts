import type { BodyOf } from '#contract/endpoint.ts';
import type { support, Ticket, TicketMessage } from '#contract/tickets/tickets.ts';
import { getMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { findReply, inTransaction, type Once, runOnce } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { listUnreadOfMember } from './message-sql.ts';
import { showMessage, showTickets } from './show-ticket.ts';
import { lockMemberTicket, updateTicketState } from './ticket-sql.ts';
import { readAttachments, refuseTooMuch, writeMessage } from './write-message.ts';

/**
 * Adds a message of the member to their ticket, which reopens it. A concurrent close is serialized: the message is
 * stored either way, and the ticket ends up closed only if the close came last.
 *
 * Refuses `ticket_not_found`, also for another member's ticket, `attachment_refused`, `too_many_messages`.
 */
export async function replyToTicket(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof support.replyToTicket>,
  once?: Once,
): Promise<TicketMessage> {
  const answered = once && (await findReply(context.db, once));
  if (answered) return answered.reply as TicketMessage;

  const files = readAttachments(input.attachments);
  const { name } = await getMember(context.db, memberId);
  return runOnce(context.db, once, async (tx) => {
    const now = context.now();
    await refuseTooMuch(tx, memberId, files.length, now);
    const before = orRefuse(await lockMemberTicket(tx, memberId, BigInt(input.ticketId)), 'ticket_not_found');
    const draft = { ticketId: before.id, operatorId: undefined, isPrivate: false, text: input.message, now };
    const { message, attachments } = await writeMessage(tx, draft, files);
    const ticket = await updateTicketState(tx, before, 'open', now);
    return showMessage(message, attachments, ticket, { member: name, operators: new Map() });
  });
}

/**
 * Closes a ticket of the member. Idempotent; a reply reopens it.
 *
 * Refuses `ticket_not_found`, also for another member's ticket.
 */
export function closeTicket(context: Context, memberId: bigint, id: bigint): Promise<Ticket> {
  return inTransaction(context.db, async (tx) => {
    const before = orRefuse(await lockMemberTicket(tx, memberId, id), 'ticket_not_found');
    const row = before.state === 'closed' ? before : await updateTicketState(tx, before, 'closed', context.now());
    const [ticket] = showTickets([row], await listUnreadOfMember(tx, [id]));
    return ticket as Ticket;
  });
}

/**
 * Closes a member's open tickets as part of closing the account, because nobody will read an answer. Messages stay:
 * they are never changed (docs/security.md, "Personal data").
 */
export const closeMemberTickets = (tx: Tx, memberId: bigint, now: Date) =>
  execute(tx)`
    update support.ticket
    set state = 'closed', waiting_since = null, closed_at = ${now}, updated_at = ${now}, version = version + 1
    where member_id = ${memberId} and state <> 'closed'`;
