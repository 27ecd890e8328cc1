import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadConfig } from '#server/config.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { connectEmbedded } from './connect.ts';
import { describeFileFault, FolderInUse, lockFolder } from './folder-lock.ts';
import { migrate, readMigrations } from './migrate.ts';
import { findValue } from './rows.ts';
import { findReply, forgetOldKeys, type Once, runOnce } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());

const once = (key: string, bodyHash = 'a'): Once => ({ callerId: 1n, call: 'POST /test', key, bodyHash });

test('a second run of the migrations changes nothing', async () => {
  expect(await migrate(database)).toEqual([]);
});

test('a migration that was changed after it ran is refused', async () => {
  const changed = readMigrations().map((migration) => ({ ...migration, checksum: 'other' }));
  await expect(migrate(database, changed)).rejects.toThrow(
    new BadConfig('Migration 0001-ledger.sql was changed after it ran. Add a new one instead.'),
  );
});

test('a failing migration leaves nothing behind and is named', async () => {
  const broken = {
    number: 9999,
    name: '9999-broken.sql',
    text: 'create table public.half (n int); select 1/0;',
    checksum: 'x',
  };
  await expect(migrate(database, [broken])).rejects.toThrow(
    new BadConfig(
      'Migration 9999-broken.sql failed: division by zero. Nothing of it was kept. Run npm run migrate again once the cause is gone.',
    ),
  );
  expect(await findValue(database.db)<string | null>`select to_regclass('public.half')::text as found`).toBeNull();
});

test('the reply and the work of a key are committed or rolled back together', async () => {
  await expect(
    runOnce(database.db, once('fails'), async () => {
      throw new Error('after the work');
    }),
  ).rejects.toThrow('after the work');
  expect(await findReply(database.db, once('fails'))).toBeUndefined();
  expect(await runOnce(database.db, once('fails'), async () => ({ n: 1 }))).toEqual({ n: 1 });
  expect(await findReply(database.db, once('fails'))).toEqual({ reply: { n: 1 } });
});

test('keys are deleted after seven days, not before', async () => {
  await runOnce(database.db, once('old'), async () => ({ n: 1 }));
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  await forgetOldKeys(database.db, days(6));
  expect(await findReply(database.db, once('old'))).toEqual({ reply: { n: 1 } });
  await forgetOldKeys(database.db, days(8));
  expect(await findReply(database.db, once('old'))).toBeUndefined();
});

test('a folder is locked against a second process, and a dead one’s lock is taken over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-lock-'));
  try {
    writeFileSync(join(folder, 'lock.pid'), String(process.ppid));
    expect(() => lockFolder(folder)).toThrow(FolderInUse);
    // No process has this number: it exceeds the system’s maximum.
    writeFileSync(join(folder, 'lock.pid'), '99999999');
    const unlock = lockFolder(folder);
    unlock();
    lockFolder(folder)();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an unwritable folder is refused in a line that names the setting, and is not left locked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-lock-'));
  const refused = (place: string, why: string) => new BadConfig(`DATA_DIR: ${place} cannot be written (${why}).`);
  try {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => lockFolder(file)).toThrow(refused(file, 'EEXIST'));
    writeFileSync(join(folder, 'pglite'), '');
    await expect(connectEmbedded(folder)).rejects.toThrow(refused(folder, 'error 54'));
    expect(existsSync(join(folder, 'lock.pid'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // As thrown by the embedded database.
  expect(describeFileFault('/data', { name: 'ErrnoError', errno: 51 })).toEqual(refused('/data', 'the disk is full'));
});
