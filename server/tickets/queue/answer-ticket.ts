import type { BodyOf } from '#contract/endpoint.ts';
import type { DeskMessage, supportDesk } from '#contract/tickets/tickets.ts';
import { findOperator, getMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { findReply, type Once, runOnce } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { lockTicket, updateAssignment, updateTicketState } from '../ticket-sql.ts';
import { readAttachments, writeMessage } from '../write-message.ts';
import { answeredNotice, auditTicket, type Colleague } from './change-ticket.ts';
import { showDeskMessage } from './get-queued-ticket.ts';

/**
 * An answer to the member, who is told of it; or a private note, of which the member sees nothing: not the note, not a
 * count, not a later instant of change, and the state stays as it is. Both count the version, so that a colleague who has
 * not read them does not close the ticket by mistake.
 *
 * Refuses `ticket_not_found`, `attachment_refused`.
 */
export async function replyFromDesk(
  context: Context,
  colleague: Colleague,
  { ticketId, ...input }: BodyOf<typeof supportDesk.replyFromDesk> & { readonly ticketId: bigint },
  once?: Once,
): Promise<DeskMessage> {
  const answered = once && (await findReply(context.db, once));
  if (answered) return answered.reply as DeskMessage;

  const files = readAttachments(input.attachments);
  const { operatorId } = colleague;
  const operators = new Map([[operatorId, (await findOperator(context.db, operatorId))?.name ?? '']]);
  return runOnce(context.db, once, async (tx) => {
    const now = context.now();
    const before = await lockTicket(tx, ticketId);
    if (before === undefined) throw new Refused('ticket_not_found');
    const draft = { ticketId, operatorId, isPrivate: input.private, text: input.message, now };
    const { message, attachments } = await writeMessage(tx, draft, files);
    const after = input.private
      ? await updateAssignment(tx, before)
      : await updateTicketState(tx, before, 'answered', now);
    const more = { message_id: message.id, attachments: attachments.length };
    await auditTicket(tx, colleague, { action: input.private ? 'ticket.note' : 'ticket.reply', before, after, more });
    if (!input.private) await notifyMember(tx, { memberId: after.member_id, ...answeredNotice(after.reference) });
    const { name: member } = await getMember(tx, after.member_id);
    return showDeskMessage(message, attachments, after, { member, operators });
  });
}
