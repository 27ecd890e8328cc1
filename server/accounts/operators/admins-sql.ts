import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Everybody who is an admin now, for mails. */
export async function listAdmins(db: Db): Promise<{ name: string; email: string }[]> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = 'admin' and disabled_at is null and password_hash is not null order by id`.execute(db);
  return rows;
}
