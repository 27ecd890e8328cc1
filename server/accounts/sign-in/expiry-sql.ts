import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Every table of this domain whose rows mean nothing once they are over. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await sql`delete from identity.auth_session where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.otp where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.reset_token where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.reset_request where expires_at <= ${now} and login_id is null`.execute(db);
  await sql`delete from identity.sign_in_challenge where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.attempt where expires_at <= ${now}`.execute(db);
}
