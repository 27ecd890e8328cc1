import type { DataOf } from '#contract/endpoint.ts';
import type { DeskTicket, supportDesk } from '#contract/tickets/tickets.ts';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { updateAssignment } from '../ticket-sql.ts';
import { auditTicket, type Colleague, changeTicket, type Seen } from './change-ticket.ts';

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
