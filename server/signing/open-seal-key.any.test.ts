import { chownSync, copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { rotateSealKey } from '#server/solvency/index.ts';
import { unguarded } from '#test/audit-walk/cuts.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock } from '#test/worlds/builders.ts';
import { listStatements, openSealKey, readKeyFile, statementFaults } from './index.ts';

let database: Database;
let folder: string;
let file: string;
beforeEach(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'tradewind-key-'));
  file = join(folder, 'seal.key');
  return async () => {
    rmSync(folder, { recursive: true });
    await database.close();
  };
});

const place = () => ({ db: database.db, now: testClock().now });
const open = (last = 4n) => openSealKey(place(), file, async () => ({ ledger: last, audit: 0n, liabilities: 0n }));
const asOwner = (statement: string) => database.runScript(unguarded(['signing.key'], statement));
/** As a restored database has. */
const forgetNewestKey = () => asOwner('delete from signing.key where no = 2');
const announced = () => listStatements(database.db);

test('the first start makes and announces the key, naming older seals; later starts read it', async () => {
  const { key, statements } = await open();
  expect(statements[0]?.after).toEqual({ ledger: '4', audit: '0', liabilities: '0' });
  expect(await announced()).toEqual(statements);
  expect((await open(9n)).key.publicKey).toBe(key.publicKey);
  expect(await announced()).toEqual(statements);
});

test('a sealed database is never silently continued with a new key', async () => {
  await open();
  renameSync(file, `${file}.away`);
  await expect(open()).rejects.toThrow(
    /^SEAL_KEY_FILE: .* is missing, but this database is sealed with key \w{16}…; restore the file from its backup, or announce a new key with npm run seal:rotate -- --lost$/,
  );
  expect(readKeyFile(file)).toBeUndefined();
});

test('a rotated key is signed by the previous one, and only the new one opens the database', async () => {
  const { key: old } = await open();
  renameSync(file, `${file}.old`);
  await expect(rotateSealKey(place(), file, false)).rejects.toThrow(
    'is missing; restore it, or if it is gone run npm run seal:rotate -- --lost',
  );
  renameSync(`${file}.old`, file);
  await expect(rotateSealKey(place(), file, true)).rejects.toThrow('the key is not lost');
  const before = readKeyFile(file);
  const statements = await rotateSealKey(place(), file, false);
  expect(statementFaults(statements)).toEqual([]);
  expect(statements.map(({ previous_signature: handedOver }) => handedOver !== null)).toEqual([false, true]);
  expect(await announced()).toEqual(statements);
  const { key } = await open();
  expect(key.publicKey).not.toBe(old.publicKey);
  expect(before?.key.publicKey).toBe(old.publicKey);
});

test('before the first start there is no key to rotate, and none is made', async () => {
  for (const isLost of [false, true])
    await expect(rotateSealKey(place(), file, isLost)).rejects.toThrow('This database has no seal key yet');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lost key is replaced by one signed by itself alone', async () => {
  await open();
  rmSync(file);
  const statements = await rotateSealKey(place(), file, true);
  expect(statements[1]?.previous_signature).toBeNull();
  expect(statementFaults(statements)).toEqual([]);
  expect((await open()).statements).toEqual(statements);
});

/** As an interruption leaves it before the key file is replaced. */
async function interruptRotation() {
  await open();
  const copy = join(folder, 'copy');
  copyFileSync(file, copy);
  const statements = await rotateSealKey(place(), file, false);
  renameSync(file, `${file}.next`);
  renameSync(copy, file);
  return statements;
}

test('a rotation interrupted before the file was replaced is completed by running it again', async () => {
  const statements = await interruptRotation();
  await expect(open()).rejects.toThrow('use the file of that key');
  expect(await rotateSealKey(place(), file, false)).toEqual(statements);
  expect((await open()).statements).toEqual(statements);
});

test('a rotation interrupted after the file was replaced is completed by running it again', async () => {
  const statements = await interruptRotation();
  copyFileSync(`${file}.next`, file);
  expect(await rotateSealKey(place(), file, false)).toEqual(statements);
  expect(readdirSync(folder)).toEqual(['seal.key']);
});

test.each([
  // The old file has the statement of the first key.
  [1, false],
  [2, true],
])(
  'a rotation is completed as signed if the database’s statement %i was modified: refused %s',
  async (no, isRefused) => {
    const statements = await interruptRotation();
    const before = readKeyFile(file);
    await asOwner(`update signing.key set ledger_after = 3 where no = ${no}`);
    const completed = rotateSealKey(place(), file, false);
    if (isRefused) await expect(completed).rejects.toThrow('The key statements in this database were modified');
    else expect(await completed).toEqual(statements);
    expect(readKeyFile(file)?.statements).toEqual(isRefused ? before?.statements : statements);
  },
);

test('a lost key is not replaced if the database’s statements were modified', async () => {
  await open();
  rmSync(file);
  await asOwner('update signing.key set ledger_after = 3');
  const rotated = rotateSealKey(place(), file, true);
  await expect(rotated).rejects.toThrow('The key statements in this database were modified');
  expect([readKeyFile(file), (await announced()).length]).toEqual([undefined, 1]);
});

test('a restored database that lacks the newest key gets it from the file', async () => {
  await open();
  const statements = await rotateSealKey(place(), file, false);
  await forgetNewestKey();
  expect((await open()).statements).toEqual(statements);
  expect(await listRows(database.db)<{ n: number }>`select count(*)::int as n from signing.key`).toEqual([{ n: 2 }]);
});

test('a database restored to before the seals from which a key signs does not get it, but a new one', async () => {
  await open();
  const statements = await rotateSealKey(place(), file, false);
  await forgetNewestKey();
  await expect(open(3n)).rejects.toThrow(
    /^SEAL_KEY_FILE: .* restored to before .*; use the file of the key before it, or move it away and announce a new key with npm run seal:rotate -- --lost$/,
  );
  expect(await announced()).toEqual(statements.slice(0, 1));
  rmSync(file);
  const renewed = await rotateSealKey(place(), file, true);
  expect((await open(3n)).statements).toEqual(renewed);
});

test.runIf(process.getuid?.() === 0)('a key that root rotates stays the worker’s', async () => {
  const WORKER = 65_534;
  await open();
  chownSync(folder, WORKER, WORKER);
  chownSync(file, WORKER, WORKER);
  const owner = () => [statSync(file).uid, statSync(file).gid, statSync(file).mode & 0o777];
  await rotateSealKey(place(), file, false);
  expect(owner()).toEqual([WORKER, WORKER, 0o600]);
  rmSync(file);
  await rotateSealKey(place(), file, true);
  expect(owner()).toEqual([WORKER, WORKER, 0o600]);
});
