import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { findValue } from '#server/db/rows.ts';
import { makeAgeKey } from '#test/database/age.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { clusterOwner, makeClusterFolder, startCluster } from '#test/database/postgres-cluster.ts';
import { runScript } from '#test/kit/run-script.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { listBackups, takeBackup } from './faults/restore.ts';
import { restoreBackup } from './faults/restore-backup.ts';

const folder = makeClusterFolder(scratchFolder());
closeAfterAll({ close: () => rmSync(folder, { recursive: true }) });
const [archive, backups, identity] = ['archive', 'backups', 'identity'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
execFileSync('mkdir', [archive, backups], clusterOwner());
const recipient = makeAgeKey(identity);
const settings = ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`];
const cluster = await startCluster({ settings, parent: scratchFolder() });
closeAfterAll({ close: cluster.stop });
const url = cluster.url('postgres');
const database = closeAfterAll(connectPostgres(url, { max: 2 }));
await migrate(database);

const order = { database: 'postgres', archive, backups, recipient, keep: 2 };
const backUp = (changes: Partial<typeof order> = {}) => takeBackup(cluster, { ...order, ...changes });
const listRows = async () =>
  (await sql<{ name: string; bytes: bigint }>`select name, bytes from public.backup order by name`.execute(database.db))
    .rows;
const listLog = () => readdirSync(archive).filter((name) => /^[0-9A-F]{24}$/.test(name));
const nameOf = (file: string) => file.replace(/.*\//, '').replace('.tar.gz.age', '');

test('a backup is encrypted, recorded in the database, and leaves nothing in the clear', async () => {
  backUp();
  const [file = ''] = listBackups(backups);
  expect(readFileSync(file, 'latin1')).toMatch(/^age-encryption\.org\/v1\n/);
  expect(await listRows()).toEqual([{ name: nameOf(file), bytes: BigInt(statSync(file).size) }]);
  expect(readdirSync(backups).filter((name) => !name.startsWith('.'))).toHaveLength(1);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('the configured number is kept, with the log from the oldest of them on', async () => {
  backUp();
  const before = listLog();
  backUp();
  const kept = listBackups(backups);
  expect(kept.map(nameOf)).toEqual((await listRows()).slice(1).map(({ name }) => name));
  const label = readdirSync(archive).find((name) => readLabel(name) === nameOf(kept[0] ?? '')) ?? '';
  expect(before[0]?.localeCompare(label)).toBeLessThan(0);
  expect(listLog()[0]).toBe(label.slice(0, 24));
});

const readLabel = (name: string) =>
  name.endsWith('.backup') ? /^LABEL: (.*)$/m.exec(readFileSync(join(archive, name), 'utf8'))?.[1] : undefined;

test.each([
  ['no key', { recipient: '' }, 'BACKUP_RECIPIENT'],
  ['an invalid key', { recipient: 'age1nobody' }, 'age1nobody'],
  ['nothing to keep', { keep: 0 }, 'BACKUP_KEEP: at least 1'],
  ['a database without the table', { database: 'template1' }, 'public.backup'],
])('with %s it fails, reports it, and removes no backup', async (_, changes, words) => {
  const before = listBackups(backups);
  const rows = await listRows();
  expect(() => backUp(changes)).toThrow(words);
  expect(listBackups(backups)).toEqual(expect.arrayContaining(before));
  expect(readdirSync(backups)).not.toContain('.part');
  expect(await listRows()).toEqual(rows);
});

test('the oldest and newest are restored with the private key: to the end of the log, or a point in time', async () => {
  backUp();
  await database.runScript(
    'create table public.mark (at timestamptz default clock_timestamp()); insert into public.mark default values',
  );
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database.db);
  await database.runScript('insert into public.mark default values; select pg_switch_wal()');
  backUp({ keep: 3 });
  const until = rows[0]?.at as Date;
  const [oldest = ''] = listBackups(backups);
  const count = (changes: object) =>
    restoreBackup(
      { file: oldest, identity, archive, database: 'postgres', user: 'tradewind', ...changes },
      async ({ db }) => await findValue(db)<bigint>`select count(*) from public.mark`,
      scratchFolder(),
    );
  expect(await count({})).toBe(2n);
  expect(await count({ until })).toBe(1n);
  const stranger = join(folder, 'stranger');
  makeAgeKey(stranger);
  await expect(count({ identity: stranger })).rejects.toThrow('no identity matched');
});

test('a backup whose log is missing from the archive is named, and nothing is removed from the archive', () => {
  backUp({ keep: 1 });
  const [file = ''] = listBackups(backups);
  const label = readdirSync(archive).find((name) => readLabel(name) === nameOf(file)) ?? '';
  renameSync(join(archive, label), join(folder, 'away'));
  const before = listLog();
  expect(() => backUp()).toThrow(`${archive} has no log from ${nameOf(file)} on, which cannot be restored without`);
  expect(listLog()).toEqual(expect.arrayContaining(before));
  renameSync(join(folder, 'away'), join(archive, label));
});

test('an interrupted rehearsal leaves nothing decrypted behind', async () => {
  const [file = ''] = listBackups(backups);
  const place = makeClusterFolder(scratchFolder());
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const words = ['--backup', file, '--archive', archive, '--database', 'postgres', '--identity', identity];
  const rehearsal = spawn(process.execPath, ['scripts/rehearse-restore.ts', ...words], {
    env: { PATH: process.env.PATH, TMPDIR: place },
    stdio: 'ignore',
  });
  await expect.poll(() => readdirSync(place, { recursive: true })).toContainEqual(expect.stringContaining('/log'));
  rehearsal.kill('SIGTERM');
  await once(rehearsal, 'exit');
  expect(readdirSync(place)).toEqual([]);
});

test('npm run rehearse:restore restores a backup, verifies its ledger, and reports what is missing', async () => {
  const [file = ''] = listBackups(backups);
  const rehearse = (...words: string[]) => runScript('rehearse-restore.ts', words, {});
  const given = ['--backup', file, '--archive', archive, '--database', 'postgres'];
  expect(await rehearse(...given, '--identity', identity)).toMatchObject({
    stderr: '',
    code: 0,
    stdout: expect.stringMatching(
      /^Restored in \d+\.\d s, to the commit at \d{4}-\d\d-\d\dT.*Z\. 0 discrepancies\.\n$/,
    ),
  });
  expect(await rehearse(...given, '--identity', identity, '--user', 'postgres')).toMatchObject({
    code: 1,
    stderr: 'role "postgres" does not exist: name those of the backup with --user and --database\n',
  });
  expect(await rehearse(...given)).toMatchObject({
    code: 1,
    stderr: 'A backup needs --backup, --archive and --identity\n',
  });
  expect(await rehearse(...given, '--identity', identity, '--until', 'noon')).toMatchObject({
    code: 1,
    stderr: '--until is an instant, such as 2026-11-21T14:05:00Z\n',
  });
});

test('a rehearsal finds a gap in the archive, at which PostgreSQL ends recovery as if it were the end', async () => {
  const before = listLog().length;
  for (let count = 0; count < 3; count += 1)
    await database.runScript("select pg_logical_emit_message(true, 'gap', ''); select pg_switch_wal()");
  await expect.poll(listLog).toHaveLength(before + 3);
  const [file = ''] = listBackups(backups);
  const missing = listLog().at(-2) ?? '';
  renameSync(join(archive, missing), join(folder, missing));
  const words = ['--backup', file, '--archive', archive, '--database', 'postgres', '--identity', identity];
  expect(await runScript('rehearse-restore.ts', words, {})).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      new RegExp(`^${listLog().at(-1)} was not reached: the archive lacks a file before it, or one is damaged\n`),
    ),
  });
  renameSync(join(folder, missing), join(archive, missing));
});

test('a backup it cannot restore and a wrong argument are one line', async () => {
  const [file = ''] = listBackups(backups);
  const rehearse = (...words: string[]) => runScript('rehearse-restore.ts', words, {});
  const given = ['--backup', file, '--archive', archive, '--database', 'postgres'];
  expect(await rehearse(...given, '--identity', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The backup cannot be read: age: .*\n$/),
  });
  expect(await rehearse(...given, '--identity', identity, '--archive', backups)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^PostgreSQL cannot restore it: .*\n$/),
  });
  expect(await rehearse('20s')).toMatchObject({ code: 1, stderr: 'Seconds are a whole number from 1, such as 20\n' });
  expect(await rehearse('--backups', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown option '--backups'.*\n$/),
  });
});
