import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { createTestDatabase } from '#test/database.ts';
import { runScript } from '#test/run-script.ts';

let databaseUrl: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-verify-'));
  databaseUrl = await createTestDatabase();
  await change(`
    insert into ledger.account (id) values (33), (34), (35), (36), (37);
    select ledger.post(array[row('a', 6, 33, 5, 'deposit', 'r', now(), null, null)::ledger.draft]);`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the owner of the database can, behind the application's back. */
async function change(script: string): Promise<void> {
  const database = connectPostgres(databaseUrl, { max: 1 });
  await database.runScript(script);
  await database.close();
}

const verify = (env: Record<string, string>) => runScript('ledger-verify.ts', [], env);

test('an untouched ledger verifies; what was changed behind the application is named and ends with 1', async () => {
  expect(await verify({ DATABASE_URL: databaseUrl })).toEqual({
    stdout: 'Ledger verified: no discrepancies.\n',
    stderr: '',
    code: 0,
  });
  await change(
    `begin; set local session_replication_role = replica; update ledger.transfer set reference = 'other'; commit;
     alter table audit.entry disable trigger entry_append_only`,
  );
  expect(await verify({ DATABASE_URL: databaseUrl })).toEqual({
    stdout:
      'transfer 1: was modified: its hash does not match its fields\n' +
      'append-only trigger on audit.entry: is missing or disabled\n2 discrepancies.\n',
    stderr: '',
    code: 1,
  });
});

test('a folder in use is left alone, and a wrong setting is one line', async () => {
  writeFileSync(join(folder, 'lock.pid'), String(process.ppid));
  const inUse = await verify({ DATA_DIR: folder });
  expect(inUse).toMatchObject({ code: 1, stdout: '' });
  expect(inUse.stderr).toMatch(/^The database folder .* is in use by process \d+\..*\n$/);
  const wrong = await verify({ DATABASE_URL: 'mysql://x' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^DATABASE_URL: .*\n$/);
});
