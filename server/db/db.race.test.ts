import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { clusterOfThisWorker, openTestDatabase } from '#test/database/database.ts';
import { connectPostgres } from './connect.ts';
import { isDatabaseGone } from './faults.ts';
import { listRows } from './rows.ts';
import { inTransaction, type Once, runOnce } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());

const once = (key: string): Once => ({ callerId: 1n, call: 'POST /test', key, bodyHash: 'a' });

test('while the first request with a key runs, the second is refused as in progress', async () => {
  const inside = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const first = runOnce(database.db, once('slow'), async () => {
    inside.resolve();
    await mayEnd.promise;
    return { n: 1 };
  });
  await inside.promise;
  await expect(runOnce(database.db, once('slow'), async () => ({ n: 2 }))).rejects.toMatchObject({
    code: 'idempotency_running',
  });
  mayEnd.resolve();
  expect(await first).toEqual({ n: 1 });
});

test('a database restart costs the running query, not the process', async () => {
  const own = connectPostgres(clusterOfThisWorker(), { max: 2 });
  await sql`select 1`.execute(own.db);
  await expect(
    inTransaction(own.db, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(own.db);
      await sql`select 1`.execute(tx);
    }),
  ).rejects.toSatisfy(isDatabaseGone);
  expect(await listRows(own.db)<{ n: number }>`select 1 as n`).toEqual([{ n: 1 }]);
  await own.close();
});
