import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAudit } from '#server/audit/index.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { fingerprintOf, openSealKey } from '#server/signing/index.ts';
import { publishHeads, readLastSeals } from '#server/solvency/index.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { runScript } from '#test/kit/run-script.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';

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

/** With the database owner's rights, bypassing the application. */
async function change(script: string): Promise<void> {
  const database = connectPostgres(databaseUrl, { max: 1 });
  await database.runScript(script);
  await database.close();
}

const verify = (env: Record<string, string>, ...words: string[]) =>
  runScript('ledger-verify.ts', words, { SEAL_KEY_FILE: join(folder, 'seal.key'), ...env });
const UNSIGNED = 'Seals are not signed: this installation has no key yet.\n';
const NOT_COMPARED = 'Without --heads, removal of the newest seals and all that they cover is not found.\n';

test('an untouched ledger verifies; a change behind the application is named and exits with 1', async () => {
  expect(await verify({ DATABASE_URL: databaseUrl })).toEqual({
    stdout: `${UNSIGNED}${NOT_COMPARED}Ledger verified: no discrepancies.\n`,
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
      `append-only trigger on audit.entry: is missing or disabled\n${UNSIGNED}${NOT_COMPARED}2 discrepancies.\n`,
    stderr: '',
    code: 1,
  });
});

test('without a ledger there is nothing to verify, and nothing is created', async () => {
  const missing = join(folder, 'nowhere');
  expect(await verify({ DATA_DIR: missing })).toEqual({
    stdout: '',
    stderr: `DATA_DIR: no database in ${missing}. Start the server once.\n`,
    code: 1,
  });
  expect(existsSync(missing)).toBe(false);
  // As of a worker with PostgreSQL: it has the key of seals.
  const other = join(folder, 'other');
  mkdirSync(other);
  expect(await verify({ DATA_DIR: other })).toMatchObject({
    stderr: `DATA_DIR: no database in ${other}. Start the server once.\n`,
    code: 1,
  });
  expect(readdirSync(other)).toEqual([]);
  expect(await verify({ DATABASE_URL: await createTestDatabase('template0') })).toEqual({
    stdout: '',
    stderr: 'The database is empty. Start the server once, or run npm run migrate.\n',
    code: 1,
  });
});

test('an unavailable database is one line', async () => {
  expect(await verify({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' })).toEqual({
    stdout: '',
    stderr: 'PostgreSQL is not available (ECONNREFUSED).\n',
    code: 1,
  });
});

test('a folder in use is left alone, and a wrong setting is one line', async () => {
  mkdirSync(join(folder, 'pglite'));
  writeFileSync(join(folder, 'lock.pid'), String(process.ppid));
  const inUse = await verify({ DATA_DIR: folder });
  expect(inUse).toMatchObject({ code: 1, stdout: '' });
  expect(inUse.stderr).toMatch(/^The database folder .* is in use by process \d+\..*\n$/);
  const wrong = await verify({ DATABASE_URL: 'mysql://x' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^DATABASE_URL: .*\n$/);
});

test('with saved heads it detects that the newest seal was removed, and says what it cannot know', async () => {
  const place = { DATABASE_URL: await createTestDatabase(), SEAL_KEY_FILE: join(folder, 'keys/seal.key') };
  const database = connectPostgres(place.DATABASE_URL, { max: 2 });
  const clock = testClock();
  const sealKey = await openSealKey({ db: database.db, now: clock.now }, place.SEAL_KEY_FILE, () =>
    readLastSeals(database.db),
  );
  const context = { ...testContext(database, clock), sealKey };
  await database.runScript(`insert into audit.entry (actor_kind, action, subject) values ('system', 'a', 's')`);
  await sealAudit(context);
  const kept = join(folder, 'kept.txt');
  writeFileSync(kept, `Kept by the auditor.\n\n${JSON.stringify(await publishHeads(context), null, 2)}\n`);
  const keyLine = `Seal key 1: ${fingerprintOf(sealKey.key.publicKey)}, from ledger seal 1, audit seal 1, snapshot 1.\n`;
  const end = 'Compared with 1 publication; nothing is said about what came after 2026-03-04T12:00:00.000Z.\n';
  expect(await verify(place, '--heads', kept)).toEqual({
    stdout: `${keyLine}${end}Ledger verified: no discrepancies.\n`,
    stderr: '',
    code: 0,
  });
  const tables = ['audit.entry', 'audit.seal', 'signing.signature', 'solvency.published_heads'];
  await database.runScript(
    tables
      .map(
        (table) =>
          `alter table ${table} disable trigger user; delete from ${table}; alter table ${table} enable trigger user`,
      )
      .join(';'),
  );
  await database.close();
  expect(await verify(place)).toMatchObject({
    code: 0,
    stdout: `${keyLine}${NOT_COMPARED}Ledger verified: no discrepancies.\n`,
  });
  expect(await verify(place, '--heads', kept)).toEqual({
    stdout: `audit seal 1: was published at 2026-03-04T12:00:00.000Z and is missing: it was removed, with all that came after it\n${keyLine}${end}1 discrepancy.\n`,
    stderr: '',
    code: 1,
  });
});

test('a file without heads, a damaged or missing one are one line each', async () => {
  const file = join(folder, 'heads.txt');
  const ask = async (...words: string[]) => {
    const { code, stdout, stderr } = await verify({ DATABASE_URL: databaseUrl }, ...words);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  expect(await ask('--heads', file)).toBe(`${file} cannot be read.\n`);
  writeFileSync(file, 'nothing');
  expect(await ask('--heads', file)).toBe(`${file} has no published heads.\n`);
  writeFileSync(file, '{"format":"tradewind/heads/1","heads":[]}');
  expect(await ask('--heads', file)).toBe(`${file} has published heads that are incomplete or were modified.\n`);
});
