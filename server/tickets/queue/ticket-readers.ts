import { sql } from 'kysely';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';

/** Operators who may answer tickets now. Tickets of anyone else, who left or changed role, count as unassigned. */
export const findTicketReaders = (db: Db): Promise<ActiveOperator[]> => listActiveOperators(db, ['support', 'admin']);

export const isUnassigned = (readers: readonly ActiveOperator[]) => sql`
  (assigned_to is null or assigned_to <> all(${readers.map(({ id }) => id)}::bigint[]))`;

type TicketQueue = { readonly open: bigint; readonly unassigned: bigint; readonly oldestAt: Date | null };

/** Counts tickets waiting for an answer and unassigned ones (0 unless `withPeople`), and the longest wait's start. */
export const sumOpenTickets = async (db: Db, withPeople: boolean) =>
  getRow(db)<TicketQueue>`
    select count(*) as open, min(waiting_since) as "oldestAt",
      count(*) filter (where ${withPeople ? isUnassigned(await findTicketReaders(db)) : sql`false`}) as unassigned
    from support.ticket where state = 'open'`;
