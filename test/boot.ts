import { sql } from 'kysely';
import { ensureCompany } from '#server/accounts/index.ts';
import { prepare } from '#server/boot.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { testClock, testContext } from './builders.ts';
import { openTestDatabase } from './database.ts';

const SECRET = { SANDBOX_SECRET: 'a secret of the test alone' };

/** A test database with everything the running server begins with, and a real clock that stands still. */
export async function bootTest(env: Record<string, string> = {}) {
  const database: Database = await openTestDatabase();
  const clock = testClock();
  const context: Context = testContext(database, clock, { ...SECRET, ...env });
  await prepare(context);
  return { database, context, clock };
}

/**
 * The same with nothing of a market but its clock, for what asks for no prices: making a market's past takes longer than
 * most tests.
 *
 * @param start market time
 */
export async function bootWithoutMarket(start: string, env: Record<string, string> = {}, opened?: Database) {
  const database: Database = opened ?? (await openTestDatabase());
  const clock = testClock();
  const context: Context = testContext(database, clock, { ...SECRET, ...env });
  await ensureCompany(context);
  await sql`
    insert into market.clock (feed, seed, step_seconds, at)
    values ('simulated', 'none', 60, ${start}::timestamptz)`.execute(context.db);
  return { database, context, clock };
}
