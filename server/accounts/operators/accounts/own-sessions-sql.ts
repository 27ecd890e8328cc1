import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { MemberSessionRow } from '../../sign-in/auth-session-sql.ts';

/** When one sign-in of an operator began and when it is over. */
export async function findOwnSession(
  db: Db,
  operatorId: bigint,
  id: bigint,
): Promise<{ createdAt: Date; expiresAt: Date } | undefined> {
  const { rows } = await sql<{ createdAt: Date; expiresAt: Date }>`
    select created_at as "createdAt", expires_at as "expiresAt"
    from identity.auth_session where operator_id = ${operatorId} and id = ${id}`.execute(db);
  return rows[0];
}

/** Sign-ins of an operator that are not over, last used first; of more than a hundred the newest. */
export async function listOwnSessions(db: Db, operatorId: bigint, now: Date): Promise<MemberSessionRow[]> {
  const { rows } = await sql<MemberSessionRow>`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from identity.auth_session where operator_id = ${operatorId} and expires_at > ${now}
    order by last_used_at desc, id desc limit 100`.execute(db);
  return rows;
}
