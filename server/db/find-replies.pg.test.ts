import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openTestDatabase } from '#test/database.ts';
import { inTransaction } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());

test('replies of keys are found by their index, also by a plan from when the table was empty', async () => {
  // Statistics of an empty table, by which reading all of it is cheapest.
  await database.runScript('vacuum analyze http.idempotency');
  const scans = await inTransaction(database.db, async (tx) => {
    await sql`
      insert into http.idempotency (caller_id, call, key, body_hash, reply)
      select 1, 'POST /test', 'key ' || n, 'hash ' || n, to_jsonb(n) from generate_series(1, 50) n`.execute(tx);
    const { rows } = await sql`
      select n, body_hash, reply from http.find_replies(array[1, 1, 2, null], array['POST /test', 'POST /test', 'POST /test', null],
        array['key 7', 'unknown', 'key 7', null])`.execute(tx);
    expect(rows).toEqual([{ n: 1n, body_hash: 'hash 7', reply: 7 }]);
    const read = await sql<{ seq_scan: bigint; idx_scan: bigint }>`
      select seq_scan, idx_scan from pg_stat_xact_user_tables where relid = 'http.idempotency'::regclass`.execute(tx);
    return read.rows;
  });
  expect(scans).toEqual([{ seq_scan: 0n, idx_scan: 4n }]);
});
