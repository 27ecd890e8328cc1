import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

/** Makes a member's own messages wait for each other, so that none of them is counted too late. */
export async function lockSender(tx: Tx, memberId: bigint): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`support.sender/${memberId}`}, 0))`.execute(tx);
}

/** When the ticket was opened that is the `most`th newest of those after `since`; undefined when there are fewer. */
export async function findTicketInTheWay(
  tx: Tx,
  { memberId, since, most }: { readonly memberId: bigint; readonly since: Date; readonly most: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from support.ticket where member_id = ${memberId} and created_at > ${since}
    order by created_at desc offset ${most - 1} limit 1`.execute(tx);
  return rows[0]?.created_at;
}

export type DaySent = { readonly messages: number; readonly attachments: number; readonly oldest_at: Date | null };

/** What the member sent after `since`. A ticket with a message of theirs was changed then or later. */
export async function countSent(tx: Tx, memberId: bigint, since: Date): Promise<DaySent> {
  const { rows } = await sql<DaySent>`
    select count(distinct m.id)::int as messages, count(a.id)::int as attachments, min(m.created_at) as oldest_at
    from support.ticket t
    join support.message m on m.ticket_id = t.id and m.author = 'member' and m.created_at > ${since}
    left join support.attachment a on a.message_id = m.id
    where t.member_id = ${memberId} and t.updated_at > ${since}`.execute(tx);
  return rows[0] ?? { messages: 0, attachments: 0, oldest_at: null };
}
