import { expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { runScript } from '#test/kit/run-script.ts';

const verify = (databaseUrl: string) => runScript('income-verify.ts', [], { DATABASE_URL: databaseUrl });

test('a correct ledger prints a table and exits with 0; an undistributed fee is named and exits with 1', async () => {
  const databaseUrl = await createTestDatabase();
  const held = await verify(databaseUrl);
  expect(held).toMatchObject({ stderr: '', code: 0 });
  expect(held.stdout).toMatch(/^subject +figure +actual +expected\nledger +undistributed trade fees +0 +0\n/);
  expect(held.stdout).toMatch(/\nReconciliation passed: \d+ figures\.\n$/);
  const database = connectPostgres(databaseUrl, { max: 1 });
  await database.runScript(`
    insert into ledger.account (id) values (33), (34), (35), (36), (37);
    select ledger.post(array[row('a', 6, 33, 5, 'deposit', 'r', now(), null, null)::ledger.draft,
      row('b', 33, 35, 5, 'trade_place', 'r', now(), null, null)::ledger.draft,
      row('c', 35, 9, 5, 'trade_fee', 'r', now(), null, null)::ledger.draft]);`);
  await database.close();
  const broken = await verify(databaseUrl);
  expect(broken).toMatchObject({ stderr: '', code: 1 });
  expect(broken.stdout).toMatch(/\nledger +undistributed trade fees +5 +0 +MISMATCH\n/);
  expect(broken.stdout).toMatch(
    /\nledger: undistributed trade fees is 5, expected 0\nReconciliation failed: 1 of \d+ figures\.\n$/,
  );
});

test('a wrong setting is one line', async () => {
  const wrong = await verify('mysql://x');
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^DATABASE_URL: .*\n$/);
});
