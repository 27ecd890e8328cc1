import type { DataOf } from '#contract/endpoint.ts';
import type { supportDesk } from '#contract/tickets/tickets.ts';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';

/** Who reads tickets, and so can be given one. */
export const listTicketReaders = async ({ db }: Context): Promise<DataOf<typeof supportDesk.listTicketReaders>> => ({
  items: (await findTicketReaders(db)).map(({ id, name, role }) => ({ id: id.toString(), name, role })),
});

/** The roles that have the calls of the desk. */
export const findTicketReaders = (db: Db): Promise<ActiveOperator[]> => listActiveOperators(db, ['support', 'admin']);
