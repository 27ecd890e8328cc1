import { prepare } from '#server/boot.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { testClock, testContext } from './builders.ts';
import { openTestDatabase } from './database.ts';

/** A test database with everything the running server begins with, and a real clock that stands still. */
export async function bootTest(env: Record<string, string> = {}) {
  const database: Database = await openTestDatabase();
  const clock = testClock();
  const context: Context = testContext(database, clock, { SANDBOX_SECRET: 'a secret of the test alone', ...env });
  await prepare(context);
  return { database, context, clock };
}
