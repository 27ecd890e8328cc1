import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { english } from '#contract/texts.ts';
import type { OperatorMessage, OperatorTicket, operatorTickets } from '#contract/tickets/tickets.ts';
import { findOperator, getMember, lockReceiver } from '#server/accounts/index.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { findReply, inTransaction, type Once, runOnce } from '#server/db/tx.ts';
import { type Notice, notifyMember } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { findWrittenAfter, hasSupportWrittenAfter } from '../message-sql.ts';
import { showOperatorMessage } from '../show-ticket.ts';
import { findTicket, lockTicket, type TicketRow, updateAssignment, updateTicketState } from '../ticket-sql.ts';
import { readAttachments, writeMessage } from '../write-message.ts';
import { showOperatorTicket } from './list-queue.ts';
import { findTicketReaders } from './ticket-readers.ts';

/** The ticket to change, with the version that the operator saw. */
export type Seen = { readonly ticketId: bigint; readonly version: number };

/**
 * Runs an operator's change of a ticket: locks it and checks that its version is the one that the operator saw.
 *
 * Refuses `ticket_not_found`, `ticket_changed`.
 */
function changeTicket(
  { db }: Context,
  { ticketId, version }: Seen,
  execute: (tx: Tx, ticket: TicketRow) => Promise<TicketRow>,
): Promise<OperatorTicket> {
  return inTransaction(db, async (tx) => {
    const ticket = orRefuse(await lockTicket(tx, ticketId), 'ticket_not_found');
    if (ticket.version !== version) throw new Refused('ticket_changed');
    return showOperatorTicket(tx, await execute(tx, ticket));
  });
}

type TicketEntry = {
  readonly action: string;
  readonly before: TicketRow;
  readonly after: TicketRow;
  readonly more?: object;
};

export async function auditTicket(tx: Tx, actor: OperatorActor, entry: TicketEntry): Promise<void> {
  await writeAudit(tx, {
    ...actingAs(actor),
    action: entry.action,
    subject: `ticket:${entry.before.id}`,
    before: loggedFields(entry.before),
    after: { ...loggedFields(entry.after), ...entry.more },
  });
}

const loggedFields = (row: TicketRow) => ({ state: row.state, assigned_to: row.assigned_to, version: row.version });

/**
 * Assigns a ticket to an operator who reads tickets, or to nobody (null). The member does not see it.
 *
 * Refuses `not_found` for an operator who does not read tickets, `ticket_not_found`, `ticket_changed`.
 */
export async function assignTicket(
  context: Context,
  actor: OperatorActor,
  { to, ...seen }: Seen & { readonly to: bigint | null },
): Promise<OperatorTicket> {
  if (to !== null && !(await readsTickets(context, to))) throw new Refused('not_found');
  return changeTicket(context, seen, async (tx, before) => {
    if (before.assigned_to === to) return before;
    const after = await updateAssignment(tx, before, to);
    await auditTicket(tx, actor, { action: 'ticket.assign', before, after });
    return after;
  });
}

async function readsTickets({ db }: Context, operatorId: bigint): Promise<boolean> {
  return (await findTicketReaders(db)).some(({ id }) => id === operatorId);
}

/** The operators who can be assigned a ticket. */
export const listTicketReaders = async ({
  db,
}: Context): Promise<DataOf<typeof operatorTickets.listTicketReaders>> => ({
  items: (await findTicketReaders(db)).map(({ id, name, role }) => ({ id: id.toString(), name, role })),
});

/**
 * Closes a ticket and notifies its member, who can reopen it with a reply. Idempotent.
 *
 * Refuses `ticket_not_found`, `ticket_changed`.
 */
export function closeAsOperator(context: Context, actor: OperatorActor, seen: Seen): Promise<OperatorTicket> {
  return changeTicket(context, seen, async (tx, before) => {
    if (before.state === 'closed') return before;
    const after = await updateTicketState(tx, before, 'closed', context.now());
    await auditTicket(tx, actor, { action: 'ticket.close', before, after });
    await notifyMember(tx, { memberId: after.member_id, ...closedNotice(after.reference) });
    return after;
  });
}

type TicketNotice = Omit<Notice, 'memberId'>;

/**
 * The notification that support answered, in the app and by email. It quotes neither question nor answer, because
 * emails may be read by others.
 */
const answeredNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_answered',
  message: english.t`Support answered your ticket ${reference}.`,
  mail: {
    subject: english.t`Support answered your ticket ${reference}`,
    text: `${english.t`Support answered your ticket ${reference}. Sign in and open Query to read the answer and reply.`}\n`,
  },
});

/** The notification that support closed a ticket. */
const closedNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_closed',
  message: english.t`Support closed your ticket ${reference}. Reply to reopen it.`,
});

/** Refuses an answer to a closed account. Locks the member before the ticket, as closing the account does. */
async function refuseClosed(tx: Tx, ticketId: bigint): Promise<void> {
  const ticket = await findTicket(tx, ticketId);
  if (ticket !== undefined && (await lockReceiver(tx, ticket.member_id)).isClosed) throw new Refused('account_closed');
}

/** If the member wrote after the last message that the operator saw, the ticket stays open, waiting since then. */
async function updateAnswered(tx: Tx, before: TicketRow, seen: bigint | undefined, now: Date): Promise<TicketRow> {
  const since = seen === undefined ? undefined : await findWrittenAfter(tx, before.id, seen);
  return since
    ? updateTicketState(tx, { ...before, waiting_since: since }, 'open', now)
    : updateTicketState(tx, before, 'answered', now);
}

/**
 * Posts an answer, which notifies the member, or a private note, which is invisible to the member: no count, no new
 * change time, no new state. Both increment the version, so that another operator who has not read them cannot close
 * the ticket by mistake.
 *
 * Refuses `ticket_not_found`, `attachment_refused`, and for an answer `account_closed`, and `ticket_changed` if another
 * message of support came after the last one that the operator saw, so that a member never gets two answers by mistake.
 */
export async function replyAsOperator(
  context: Context,
  actor: OperatorActor,
  { ticketId, ...input }: BodyOf<typeof operatorTickets.replyAsOperator> & { readonly ticketId: bigint },
  once?: Once,
): Promise<OperatorMessage> {
  const answered = once && (await findReply(context.db, once));
  if (answered) return answered.reply as OperatorMessage;

  const files = readAttachments(input.attachments);
  const { operatorId } = actor;
  const operators = new Map([[operatorId, (await findOperator(context.db, operatorId))?.name ?? '']]);
  return runOnce(context.db, once, async (tx) => {
    const now = context.now();
    if (!input.private) await refuseClosed(tx, ticketId);
    const before = orRefuse(await lockTicket(tx, ticketId), 'ticket_not_found');
    const seen = input.seen === undefined ? undefined : BigInt(input.seen);
    if (!input.private && seen !== undefined && (await hasSupportWrittenAfter(tx, ticketId, seen))) {
      throw new Refused('ticket_changed');
    }
    const draft = { ticketId, operatorId, isPrivate: input.private, text: input.message, now };
    const { message, attachments } = await writeMessage(tx, draft, files);
    const after = input.private ? await updateAssignment(tx, before) : await updateAnswered(tx, before, seen, now);
    const more = { message_id: message.id, attachments: attachments.length };
    await auditTicket(tx, actor, { action: input.private ? 'ticket.note' : 'ticket.reply', before, after, more });
    if (!input.private) await notifyMember(tx, { memberId: after.member_id, ...answeredNotice(after.reference) });
    const { name: member } = await getMember(tx, after.member_id);
    return showOperatorMessage(message, attachments, after, { member, operators });
  });
}
