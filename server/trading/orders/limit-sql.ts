import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

export type LossLimit = { readonly memberId: bigint; readonly lossDayMicros: bigint };

/** Members of a list whose realised loss of a market day has reached what they allowed. */
export async function listOverLimit(db: Db, day: string, limits: readonly LossLimit[]): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    select d.member_id
    from unnest(${limits.map((limit) => limit.memberId)}::bigint[], ${limits.map((limit) => limit.lossDayMicros)}::bigint[])
      as own(member_id, most)
    join trading.daily_result d on d.member_id = own.member_id and d.session_day = ${day}::date and d.result <= -own.most`.execute(
    db,
  );
  return rows.map((row) => row.member_id);
}
