import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock } from '#test/worlds/builders.ts';
import { listStatements, makeKeyFile, makeStatement, openSealKey, PrivateKey, readKeyFile } from './index.ts';

const NOTHING = { ledger: 0n, audit: 0n, liabilities: 0n };

test('processes that first start concurrently share one key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-key-'));
  closeAfterAll({ close: async () => rmSync(folder, { recursive: true }) });
  const file = join(folder, 'seal.key');
  const script = `
    const { makeKeyFile, makeStatement, PrivateKey, readKeyFile } = await import('${join(import.meta.dirname, 'index.ts')}');
    const key = PrivateKey.make();
    const statement = makeStatement(key, { ledger: 0n, audit: 0n, liabilities: 0n }, new Date());
    const isFirst = makeKeyFile('${file}', { key, statements: [statement] });
    console.log(JSON.stringify([isFirst, readKeyFile('${file}').key.publicKey]));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const ended = await Promise.all(Array.from({ length: 4 }, run));
  const results = ended.map(({ stdout }) => JSON.parse(stdout) as [boolean, string]);
  expect(results.filter(([isFirst]) => isFirst)).toHaveLength(1);
  expect(new Set(results.map(([, key]) => key))).toEqual(new Set([readKeyFile(file)?.key.publicKey]));
});

test('of two machines with different key files one is announced, and the other does not start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-key-'));
  closeAfterAll({ close: async () => rmSync(folder, { recursive: true }) });
  const { db } = closeAfterAll(await openTestDatabase());
  const { now } = testClock();
  const open = (name: string) => {
    const key = PrivateKey.make();
    makeKeyFile(join(folder, name), { key, statements: [makeStatement(key, NOTHING, now())] });
    return openSealKey({ db, now }, join(folder, name), async () => NOTHING);
  };
  const results = await Promise.allSettled([open('one'), open('two')]);
  const failed = results.filter((result) => result.status === 'rejected');
  expect(failed.map(({ reason }) => reason.message)).toEqual([
    expect.stringMatching(
      /^SEAL_KEY_FILE: .* has key \w{16}…, but this database is sealed with key \w{16}…; use the file of that key$/,
    ),
  ]);
  expect(await listStatements(db)).toHaveLength(1);
});
