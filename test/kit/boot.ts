import { sql } from 'kysely';
import { ensureCompany } from '#server/accounts/index.ts';
import { prepare } from '#server/boot.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type MadeRecording, recordMarket, still } from '#test/recorded/recorded-market.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';

const SECRET = { SANDBOX_SECRET: 'a secret of the test alone' };
/** Tests of the limits set their own values. */
const UNLIMITED = { RATE_LIMIT: '1000000', SIGN_IN_LIMIT: '1000000' };

/** A test database with everything a running server starts with, and a fixed real-time clock. */
export async function bootTest(env: Record<string, string> = {}) {
  const database: Database = await openTestDatabase();
  const clock = testClock();
  const context: Context = testContext(database, clock, { ...SECRET, ...UNLIMITED, ...env });
  await prepare(context);
  return { database, context, clock };
}

/** How a recording of the market day is played; by default at a constant price of 100. */
type Played = Partial<MadeRecording> & { readonly start?: string; readonly speed?: number };

/**
 * Settings of a market that plays a recording of a few hours, so that a server needs no long history. It starts at
 * noon, and by default playback starts ten minutes before an opening.
 */
export function recordHours({ start = '2026-03-04T12:20:00Z', speed = 600, ...recording }: Played = {}) {
  const { folder, remove } = recordMarket({
    from: '2026-03-04T12:00:00Z',
    minutes: 400,
    candle: () => still('100'),
    symbols: ['btc', 'eth'],
    ...recording,
  });
  const env = { MARKET_FEED: 'replay', REPLAY_DATA: folder, MARKET_START: start, MARKET_SPEED: String(speed) };
  return { env, close: remove };
}

/** Like `bootTest`, on a separate recording. */
export async function bootRecorded(played: Played = {}, env: Record<string, string> = {}) {
  const recording = recordHours(played);
  const world = await bootTest({ ...recording.env, ...env });
  const close = async () => {
    await world.database.close();
    recording.close();
  };
  return { ...world, close };
}

/**
 * Like `bootTest`, with nothing of a market but its clock, for tests without prices: generating a market's history
 * takes longer than most tests.
 *
 * @param start market time
 */
export async function bootWithoutMarket(start: string, env: Record<string, string> = {}, opened?: Database) {
  const database: Database = opened ?? (await openTestDatabase());
  const clock = testClock();
  const context: Context = testContext(database, clock, { ...SECRET, ...UNLIMITED, ...env });
  await ensureCompany(context);
  await sql`
    insert into market.clock (feed, seed, step_seconds, at)
    values ('simulated', 'none', 60, ${start}::timestamptz)`.execute(context.db);
  return { database, context, clock };
}
