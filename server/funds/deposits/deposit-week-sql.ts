import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/**
 * What a member's deposits started after `since` brought or can still bring: what was credited; while the invoice can
 * be paid at least what it asks for; while a person decides all that arrived.
 */
export async function sumDepositsSince(db: Db, memberId: bigint, since: Date): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(case
      when state in ('created', 'pending', 'underpaid') then greatest(amount_micros, booked_micros)
      when state = 'review' then booked_micros
      else coalesce(credited_micros, 0) end), 0)::bigint as sum
    from funds.deposit where member_id = ${memberId} and created_at > ${since}`.execute(db);
  return (rows[0] as { sum: bigint }).sum;
}
