import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';

/** Job: removes sign-ins, codes, tokens and counters that are over. They are refused by their time, not by this. */
export async function forgetExpired(context: Context): Promise<void> {
  await deleteExpired(context.db, context.now());
}

/** Every table of this domain whose rows mean nothing once they are over. */
async function deleteExpired(db: Db, now: Date): Promise<void> {
  await sql`delete from identity.auth_session where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.otp where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.reset_token where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.reset_request where expires_at <= ${now} and login_id is null`.execute(db);
  await sql`delete from identity.sign_in_challenge where expires_at <= ${now}`.execute(db);
  await sql`delete from identity.attempt where expires_at <= ${now}`.execute(db);
}
