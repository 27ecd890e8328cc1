import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { lockTicket, type TicketRow } from '../ticket-sql.ts';
import { showDeskTicket } from './show-queued-ticket.ts';

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
