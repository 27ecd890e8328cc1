import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectEmbedded } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { compiledBefore } from '#test/server-process.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-verify-'));
  const database = await connectEmbedded(folder);
  await migrate(database);
  await database.runScript(`
    insert into ledger.account (id) values (33), (34), (35), (36), (37);
    select ledger.post(array[row('a', 6, 33, 5, 'deposit', 'r', now(), null, null)::ledger.draft]);`);
  await database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = async (env: Record<string, string> = {}) => {
  const script = join(import.meta.dirname, 'ledger-verify.ts');
  const run = promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...compiledBefore, DATA_DIR: folder, ...env },
  });
  const { stdout, stderr, code } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { stdout, stderr, code };
};

test('an untouched ledger verifies; what was changed behind the application is named and ends with 1', async () => {
  expect(await verify()).toEqual({ stdout: 'The ledger verifies.\n', stderr: '', code: 0 });
  const database = await connectEmbedded(folder);
  await database.runScript(
    `begin; set local session_replication_role = replica; update ledger.transfer set reference = 'other'; commit;
     alter table audit.entry disable trigger entry_append_only`,
  );
  await database.close();
  expect(await verify()).toEqual({
    stdout:
      'transfer 1: was changed: its fields do not give its hash\n' +
      'append-only rule of audit.entry: is missing or switched off\n2 findings.\n',
    stderr: '',
    code: 1,
  });
});

test('a folder in use is left alone, and a wrong setting is one line', async () => {
  const lock = join(folder, 'lock.pid');
  writeFileSync(lock, String(process.ppid));
  const inUse = await verify();
  expect(inUse).toMatchObject({ code: 1, stdout: '' });
  expect(inUse.stderr).toMatch(/^The database folder .* is in use by process \d+\..*\n$/);
  rmSync(lock);
  const wrong = await verify({ DATABASE_URL: 'mysql://x' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^DATABASE_URL: .*\n$/);
});
