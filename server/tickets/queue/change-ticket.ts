import type { DataOf } from '#contract/endpoint.ts';
import type { DeskTicket, supportDesk } from '#contract/tickets/tickets.ts';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { lockTicket, type TicketRow, updateAssignment, updateTicketState } from '../ticket-sql.ts';
import { showDeskTicket } from './list-queue.ts';

/** The operator who acts, and from which network address. */
export type Colleague = { readonly operatorId: bigint; readonly address: string };

/** Which ticket is changed, as the operator saw it. */
export type Seen = { readonly ticketId: bigint; readonly version: number };

/**
 * The frame of what operators change of a ticket: it is locked, and must be as the operator saw it.
 *
 * Refuses `ticket_not_found`, `ticket_changed`.
 */
export function changeTicket(
  { db }: Context,
  { ticketId, version }: Seen,
  carryOut: (tx: Tx, ticket: TicketRow) => Promise<TicketRow>,
): Promise<DeskTicket> {
  return inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, ticketId);
    if (ticket === undefined) throw new Refused('ticket_not_found');
    if (ticket.version !== version) throw new Refused('ticket_changed');
    return showDeskTicket(tx, await carryOut(tx, ticket));
  });
}

type TicketEntry = {
  readonly action: string;
  readonly before: TicketRow;
  readonly after: TicketRow;
  readonly more?: object;
};

export async function auditTicket(tx: Tx, colleague: Colleague, entry: TicketEntry): Promise<void> {
  await writeAudit(tx, {
    actor: { kind: 'operator', id: colleague.operatorId },
    address: colleague.address,
    action: entry.action,
    subject: `ticket:${entry.before.id}`,
    before: tell(entry.before),
    after: { ...tell(entry.after), ...entry.more },
  });
}

const tell = (row: TicketRow) => ({ state: row.state, assigned_to: row.assigned_to, version: row.version });

/**
 * Takes a ticket, hands it to a colleague who reads tickets, or gives it back to all (null). The member does not see it.
 *
 * Refuses `not_found` for who is no such colleague, `ticket_not_found`, `ticket_changed`.
 */
export async function assignTicket(
  context: Context,
  colleague: Colleague,
  { to, ...seen }: Seen & { readonly to: bigint | null },
): Promise<DeskTicket> {
  if (to !== null && !(await readsTickets(context, to))) throw new Refused('not_found');
  return changeTicket(context, seen, async (tx, before) => {
    if (before.assigned_to === to) return before;
    const after = await updateAssignment(tx, before, to);
    await auditTicket(tx, colleague, { action: 'ticket.assign', before, after });
    return after;
  });
}

async function readsTickets({ db }: Context, operatorId: bigint): Promise<boolean> {
  return (await findTicketReaders(db)).some(({ id }) => id === operatorId);
}

/** Who reads tickets, and so can be given one. */
export const listTicketReaders = async ({ db }: Context): Promise<DataOf<typeof supportDesk.listTicketReaders>> => ({
  items: (await findTicketReaders(db)).map(({ id, name, role }) => ({ id: id.toString(), name, role })),
});

/** The roles that have the calls of the desk. */
const findTicketReaders = (db: Db): Promise<ActiveOperator[]> => listActiveOperators(db, ['support', 'admin']);

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

type TicketNotice = {
  readonly kind: string;
  readonly message: string;
  readonly mail?: { readonly subject: string; readonly text: string };
};

/**
 * What a member hears when support answered: in the drawer and by mail. Neither has a word of the answer or of the
 * question, because mail is read by more people than its receiver.
 */
export const answeredNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_answered',
  message: `Our team answered your ticket ${reference}.`,
  mail: {
    subject: `Your ticket ${reference} was answered`,
    text: `Our team answered your ticket ${reference}. Sign in and open Query to read the answer and to write back.\n`,
  },
});

/** What a member hears when support closed a ticket; what they close themselves they know. */
const closedNotice = (reference: string): TicketNotice => ({
  kind: 'ticket_closed',
  message: `Our team closed your ticket ${reference}. A reply opens it again.`,
});
