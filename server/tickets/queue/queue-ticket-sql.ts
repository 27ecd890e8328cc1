import { sql } from 'kysely';
import type { TicketState } from '#contract/tickets/ticket-rules.ts';
import type { Db } from '#server/db/connect.ts';
import type { TicketPlace } from '../core/ticket-cursor.ts';
import { type TicketRow, ticketColumns } from '../ticket-sql.ts';

/** Of all members. Those that wait for an answer: the longest waiting first; all others: the last changed first. */
export async function listDeskTicketRows(
  db: Db,
  filter: {
    readonly state: TicketState | undefined;
    readonly category: TicketRow['category'] | undefined;
    /** Whose; null is nobody's. */
    readonly assignedTo: bigint | null | undefined;
    readonly after: TicketPlace | undefined;
    readonly limit: number;
  },
): Promise<TicketRow[]> {
  const { state, category, assignedTo, after, limit } = filter;
  const isQueue = state === 'open';
  const place = isQueue ? sql`(waiting_since, id)` : sql`(updated_at, id)`;
  const next = after && sql`(${after.at}::timestamptz, ${after.id}::bigint)`;
  const { rows } = await sql<TicketRow>`
    select ${ticketColumns} from support.ticket
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${category === undefined ? sql`true` : sql`category = ${category}`}
      and ${assignedTo === undefined ? sql`true` : sql`assigned_to is not distinct from ${assignedTo}::bigint`}
      and ${next === undefined ? sql`true` : isQueue ? sql`${place} > ${next}` : sql`${place} < ${next}`}
    order by ${isQueue ? sql`waiting_since, id` : sql`updated_at desc, id desc`} limit ${limit}`.execute(db);
  return rows;
}
