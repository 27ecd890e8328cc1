import type { BodyOf } from '#contract/endpoint.ts';
import type { support, TicketMessage } from '#contract/tickets/tickets.ts';
import { getMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { findReply, type Once, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { refuseTooMuch } from './refuse-too-many.ts';
import { showMessage } from './show-ticket.ts';
import { lockMemberTicket, updateTicketState } from './ticket-sql.ts';
import { readAttachments, writeMessage } from './write-message.ts';

/**
 * Another message of the member in their ticket, which is open from then on. Against a close at the same moment one comes
 * after the other: the message is kept either way, and the ticket closed only if it was closed last.
 *
 * Refuses `ticket_not_found`, also for a ticket of somebody else, `attachment_refused`, `too_many_requests`.
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
    const before = await lockMemberTicket(tx, memberId, BigInt(input.ticketId));
    if (before === undefined) throw new Refused('ticket_not_found');
    const draft = { ticketId: before.id, operatorId: undefined, isPrivate: false, text: input.message, now };
    const { message, attachments } = await writeMessage(tx, draft, files);
    const ticket = await updateTicketState(tx, before, 'open', now);
    return showMessage(message, attachments, ticket, { member: name, operators: new Map() });
  });
}
