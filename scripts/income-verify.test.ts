import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
  await database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = async (env: Record<string, string> = {}) => {
  const script = join(import.meta.dirname, 'income-verify.ts');
  const run = promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...compiledBefore, DATA_DIR: folder, ...env },
  });
  const { stdout, stderr, code } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { stdout, stderr, code };
};

test('books that hold are a table and end with 0; a fee that nobody shared is named and ends with 1', {
  timeout: 90_000,
}, async () => {
  const held = await verify();
  expect(held).toMatchObject({ stderr: '', code: 0 });
  expect(held.stdout).toMatch(/^where +what +found +should be\nthe books +trade fees not shared yet +0 +0\n/);
  expect(held.stdout).toMatch(/\nThe books hold: \d+ figures\.\n$/);
  const database = await connectEmbedded(folder);
  await database.runScript(`
    insert into ledger.account (id) values (33), (34), (35), (36), (37);
    select ledger.post(array[row('a', 6, 33, 5, 'deposit', 'r', now(), null, null)::ledger.draft,
      row('b', 33, 35, 5, 'trade_place', 'r', now(), null, null)::ledger.draft,
      row('c', 35, 9, 5, 'trade_fee', 'r', now(), null, null)::ledger.draft]);`);
  await database.close();
  const broken = await verify();
  expect(broken).toMatchObject({ stderr: '', code: 1 });
  expect(broken.stdout).toMatch(/\nthe books +trade fees not shared yet +5 +0 +WRONG\n/);
  expect(broken.stdout).toMatch(/\nthe books: trade fees not shared yet is 5, not 0\n1 of \d+ figures is wrong\.\n$/);
});

test('a wrong setting is one line', async () => {
  const wrong = await verify({ DATABASE_URL: 'mysql://x' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^DATABASE_URL: .*\n$/);
});
