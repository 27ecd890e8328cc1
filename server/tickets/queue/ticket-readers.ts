import { sql } from 'kysely';
import { type ActiveOperator, listActiveOperators } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';

/**
 * The operators who may answer tickets now. A ticket assigned to anyone else counts as unassigned: that operator has
 * left or changed role.
 */
export const findTicketReaders = (db: Db): Promise<ActiveOperator[]> => listActiveOperators(db, ['support', 'admin']);

export const isUnassigned = (readers: readonly ActiveOperator[]) => sql`
  (assigned_to is null or assigned_to <> all(${readers.map(({ id }) => id)}::bigint[]))`;

type TicketQueue = { readonly open: bigint; readonly unassigned: bigint; readonly oldestAt: Date | null };

/**
 * The tickets waiting for an answer, how many of them are unassigned (0, without reading operators, unless
 * `withPeople`), and the start of the longest wait.
 */
export const sumOpenTickets = async (db: Db, withPeople: boolean) =>
  getRow(db)<TicketQueue>`
    select count(*) as open, min(waiting_since) as "oldestAt",
      count(*) filter (where ${withPeople ? isUnassigned(await findTicketReaders(db)) : sql`false`}) as unassigned
    from support.ticket where state = 'open'`;
