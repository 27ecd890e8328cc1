import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

/** One more try in the window, or the first of a new one. The count stops one above the limit, so nothing grows. */
export async function addAttempt(
  db: Db,
  attempt: { keyHash: Buffer; most: number; windowSeconds: number; now: Date },
): Promise<{ count: number; expiresAt: Date }> {
  const end = new Date(attempt.now.getTime() + attempt.windowSeconds * 1000);
  const { rows } = await sql<{ count: number; expiresAt: Date }>`
    insert into identity.attempt as attempt (key_hash, count, expires_at) values (${attempt.keyHash}, 1, ${end})
    on conflict (key_hash) do update set
      count = case when attempt.expires_at <= ${attempt.now}::timestamptz then 1
                   else least(attempt.count + 1, ${attempt.most + 1}::int) end,
      expires_at = case when attempt.expires_at <= ${attempt.now}::timestamptz then ${end}::timestamptz
                        else attempt.expires_at end
    returning count, expires_at as "expiresAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an attempt was not counted');
  return row;
}

export async function deleteAttempts(tx: Tx, keyHash: Buffer): Promise<void> {
  await sql`delete from identity.attempt where key_hash = ${keyHash}`.execute(tx);
}
