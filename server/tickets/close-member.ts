import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

/**
 * A step of closing an account: nobody is there any more to read an answer, so tickets that are open are closed with it.
 * What was written stays: messages are never changed (docs/member-data.md).
 */
export async function closeMemberTickets(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await sql`
    update support.ticket
    set state = 'closed', waiting_since = null, closed_at = ${now}, updated_at = ${now}, version = version + 1
    where member_id = ${memberId} and state <> 'closed'`.execute(tx);
}
