import { sql } from 'kysely';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';

/** Who has the calls of the back office now. A ticket of somebody else is nobody's: they left, or have another role. */
export const findTicketReaders = (db: Db): Promise<ActiveOperator[]> => listActiveOperators(db, ['support', 'admin']);

/** That a ticket is nobody's. */
export const isUnassigned = (readers: readonly ActiveOperator[]) => sql`
  (assigned_to is null or assigned_to <> all(${readers.map(({ id }) => id)}::bigint[]))`;

type TicketQueue = { readonly open: bigint; readonly unassigned: bigint; readonly oldestAt: Date | null };

/** Tickets that wait for an answer, how many of them are nobody's, 0 without reading who may answer, and since when the longest waits. */
export const sumOpenTickets = async (db: Db, withPeople: boolean) =>
  getRow(db)<TicketQueue>`
    select count(*) as open, min(waiting_since) as "oldestAt",
      count(*) filter (where ${withPeople ? isUnassigned(await findTicketReaders(db)) : sql`false`}) as unassigned
    from support.ticket where state = 'open'`;
