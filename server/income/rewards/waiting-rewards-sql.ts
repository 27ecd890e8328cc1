import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

export type WaitingRewards = { readonly count: bigint; readonly micros: bigint; readonly oldestAt: Date | null };

/** Claims in line, what they come to, and since when the first one waits. */
export async function sumWaitingRewards(db: Db): Promise<WaitingRewards> {
  const { rows } = await sql<WaitingRewards>`
    select count(*) as count, coalesce(sum(nominal), 0)::bigint as micros, min(claimed_at) as "oldestAt"
    from income.reward where state = 'waiting'`.execute(db);
  return rows[0] as WaitingRewards;
}
