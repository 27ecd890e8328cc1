import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

/** False when this operator read this member since `since`; of two readings at once one is the first. */
export async function recordReading(
  tx: Tx,
  reading: { readonly operatorId: bigint; readonly memberId: bigint; readonly now: Date; readonly since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into operator.member_reading as last (operator_id, member_id, read_at)
    values (${reading.operatorId}, ${reading.memberId}, ${reading.now})
    on conflict (operator_id, member_id) do update set read_at = excluded.read_at where last.read_at <= ${reading.since}
    returning 1`.execute(tx);
  return rows.length === 1;
}
