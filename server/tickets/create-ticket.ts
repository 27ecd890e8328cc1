import type { BodyOf } from '#contract/endpoint.ts';
import type { support, Ticket } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { findReply, type Once, runOnce } from '#server/db/tx.ts';
import { insertUnderNewReference } from '#server/make-reference.ts';
import { findAbout } from './find-about.ts';
import { refuseTooManyTickets, refuseTooMuch } from './refuse-too-many.ts';
import { showTicket } from './show-ticket.ts';
import { insertTicket } from './ticket-sql.ts';
import { readAttachments, writeMessage } from './write-message.ts';

/**
 * Opens a ticket with its first message (docs/product.md, section 9). Files and what it is about are looked at before
 * the transaction, which then only writes; a frozen account can ask, too.
 *
 * Refuses `attachment_refused`, `about_not_found`, `too_many_requests`, `too_many_tickets`.
 */
export async function createTicket(
  context: Context,
  memberId: bigint,
  input: BodyOf<typeof support.createTicket>,
  once?: Once,
): Promise<Ticket> {
  const answered = once && (await findReply(context.db, once));
  if (answered) return answered.reply as Ticket;

  const files = readAttachments(input.attachments);
  const about = input.about && (await findAbout(context, memberId, input.about));
  const { subject, category, message: text } = input;
  return runOnce(context.db, once, async (tx) => {
    const now = context.now();
    await refuseTooMuch(tx, memberId, files.length, now);
    await refuseTooManyTickets(tx, memberId, now);
    const ticket = await insertUnderNewReference('ticket', (reference) =>
      insertTicket(tx, { memberId, reference, subject, category, about, now }),
    );
    await writeMessage(tx, { ticketId: ticket.id, operatorId: undefined, isPrivate: false, text, now }, files);
    return showTicket(ticket, 0);
  });
}
