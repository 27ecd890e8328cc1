import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import type { Tx } from './connect.ts';
import { listRows } from './rows.ts';
import { inTransaction } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());

async function findReplies(tx: Tx) {
  return listRows(tx)`
    select n, body_hash, reply from http.find_replies(array[1, 1, 2, null], array['POST /test', 'POST /test', 'POST /test', null],
      array['key 7', 'unknown', 'key 7', null])`;
}

test('replies are found by the index of their keys, even with a plan made while the table was empty', async () => {
  // Statistics of an empty table, for which a sequential or full index scan is cheapest.
  await database.runScript('vacuum analyze http.idempotency');
  const scans = await inTransaction(database.db, async (tx) => {
    expect(await findReplies(tx)).toEqual([]);
    await sql`
      insert into http.idempotency (caller_id, call, key, body_hash, reply)
      select 1, 'POST /test', 'key ' || n, 'hash ' || n, n::text from generate_series(1, 50) n`.execute(tx);
    expect(await findReplies(tx)).toEqual([{ n: 1n, body_hash: 'hash 7', reply: '7' }]);
    return listRows(tx)`
      select seq_scan, idx_tup_fetch from pg_stat_xact_user_tables
      where relid = 'http.idempotency'::regclass`;
  });
  expect(scans).toEqual([{ seq_scan: 0n, idx_tup_fetch: 1n }]);
});
