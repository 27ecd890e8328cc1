import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { connect, type Db } from './connect.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';
import { findRow } from './rows.ts';
import { inTransaction } from './tx.ts';

const env = { DATABASE_LOCK_MS: '150', DATABASE_STATEMENT_MS: '400', DATABASE_JOBS_LOCK_SECONDS: '7' };
const database = closeAfterAll(await connect(readConfig({ DATABASE_URL: await createTestDatabase(), ...env })));

const readLimits = (db: Db) => findRow(db)<{ statement: string; lock: string; idle: string }>`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe('limits of a pool', () => {
  test('are short for requests, long for jobs', async () => {
    expect(await readLimits(database.db)).toEqual({ statement: '400ms', lock: '150ms', idle: '10s' });
    expect(await readLimits(database.jobs)).toEqual({ statement: '30min', lock: '7s', idle: '5min' });
    expect(await readLimits(database.reserved)).toEqual({ statement: '2s', lock: '1s', idle: '10s' });
  });

  test('are set in each transaction, whatever its connection was set to before', async () => {
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`.execute(
      database.db,
    );
    expect(await inTransaction(database.db, readLimits)).toEqual({ statement: '400ms', lock: '150ms', idle: '10s' });
  });

  test('do not apply to scripts, and neither do those of the role', async () => {
    const url = await createTestDatabase();
    const limited = closeAfterAll(await connect(readConfig({ DATABASE_URL: url, ...env })));
    await limited.runScript(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = 200`);
    await limited.runScript('select pg_sleep(0.6)');
  });

  test('end a statement and a wait for a lock, and the connection stays usable', async () => {
    const slow = await failure(inTransaction(database.db, (tx) => sql`select pg_sleep(30)`.execute(tx)));
    expect([isPastLimit(slow), isDatabaseGone(slow)]).toEqual([true, false]);
    const locked = await failure(
      inTransaction(database.db, async (tx) => {
        await sql`select pg_advisory_xact_lock(7)`.execute(tx);
        await inTransaction(database.db, (other) => sql`select pg_advisory_xact_lock(7)`.execute(other));
      }),
    );
    expect(locked).toMatchObject({ code: '55P03' });
    expect(isPastLimit(locked)).toBe(true);
    expect(await inTransaction(database.db, readLimits)).toBeDefined();
  });
});

test('an idle connection is kept for a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = await connect(readConfig({ DATABASE_URL: await createTestDatabase(), ...env }));
  const readPid = () => findRow(own.db)<{ pid: number }>`select pg_backend_pid() as pid`;
  const first = await readPid();
  vi.advanceTimersByTime(59_000);
  expect(await readPid()).toEqual(first);
  vi.advanceTimersByTime(61_000);
  expect(await readPid()).not.toEqual(first);
  await own.close();
});
