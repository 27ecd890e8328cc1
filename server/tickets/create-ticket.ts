import type { BodyOf } from '#contract/endpoint.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { support, Ticket, TicketAbout } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { findReply, type Once, runOnce } from '#server/db/tx.ts';
import { getDeposit, getWithdrawal } from '#server/funds/index.ts';
import { listStatement } from '#server/ledger/index.ts';
import { insertUnderNewReference } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { getTrade } from '#server/trading/index.ts';
import { showTicket } from './show-ticket.ts';
import { insertTicket, type NewTicket } from './ticket-sql.ts';
import { readAttachments, refuseTooManyTickets, refuseTooMuch, writeMessage } from './write-message.ts';

/**
 * Opens a ticket with its first message (docs/product.md, section 9). Attachments and the subject are validated before
 * the transaction, which only writes. Frozen accounts may open tickets.
 *
 * Refuses `attachment_refused`, `about_not_found`, `too_many_messages`, `too_many_tickets`.
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

type FindLabel = (context: Context, memberId: bigint, id: bigint) => Promise<string>;

const labelOf: Record<TicketAbout['kind'], FindLabel> = {
  movement: async ({ db }, memberId, position) => {
    const [line] = await listStatement(db, { memberId, before: position + 1n, limit: 1 });
    if (line?.position !== position) throw new Refused('about_not_found');
    return `${wordsOfKind(line.reason)}, ${line.reference}`;
  },
  trade: async (context, memberId, id) => `Trade ${(await getTrade(context, memberId, id)).trade.id}`,
  deposit: async (context, memberId, id) => (await getDeposit(context, memberId, id)).reference,
  withdrawal: async (context, memberId, id) => (await getWithdrawal(context, memberId, id)).reference,
};

/**
 * The record that a ticket is about, with its label as people quote it: `DP-7M2QX4`, `Trade 17`, `Trade fee, trade 17`.
 * Another member's record is refused like one that does not exist.
 *
 * Refuses `about_not_found`.
 */
async function findAbout(
  context: Context,
  memberId: bigint,
  { kind, id }: TicketAbout,
): Promise<NonNullable<NewTicket['about']>> {
  try {
    return { kind, id: BigInt(id), label: await labelOf[kind](context, memberId, BigInt(id)) };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) throw new Refused('about_not_found', { field: 'about' });
    throw error;
  }
}
