import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

export type TicketQueue = { readonly open: bigint; readonly unassigned: bigint; readonly oldestAt: Date | null };

/** Tickets that wait for an answer, how many of them are nobody's, and since when the longest waits. */
export async function sumOpenTickets(db: Db): Promise<TicketQueue> {
  const { rows } = await sql<TicketQueue>`
    select count(*) as open, count(*) filter (where assigned_to is null) as unassigned, min(waiting_since) as "oldestAt"
    from support.ticket where state = 'open'`.execute(db);
  return rows[0] as TicketQueue;
}

/** Whose ticket it is that people quote as `Q-7M2QX4`. */
export async function findTicketOwner(db: Db, reference: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from support.ticket where reference = ${reference}`.execute(db);
  return rows[0]?.member_id;
}
