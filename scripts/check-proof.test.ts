import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKeptSeal, aSeal } from '../web/test/solvency-seal.ts';

const CODE = 'TW7K3QMX9D';
const seal = aSeal(CODE);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-proof-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

async function check(...args: string[]) {
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'check-proof.ts'), ...args]);
  return run.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

test('a downloaded proof that matches the published one is printed with its balances', async () => {
  const published = write('published.json', { status: 'success', data: seal.snapshot });
  const { code, said } = await check(write('proof.json', seal), CODE, published);
  expect(code).toBe(0);
  expect(said).toContain('primary          $5718.635000\n');
  expect(said).toContain('Proof valid: included in snapshot 9 of 2026-03-04.');
  expect(said).toContain(`Hash: ${seal.snapshot.hash}\n`);
  expect(said).not.toContain('Compare the hash');
});

test('a proof saved before leaves were split is still valid', async () => {
  const kept = aKeptSeal(CODE);
  const published = write('published-1.json', { data: { ...kept.snapshot, version: 1 } });
  const { code, said } = await check(write('kept.json', kept), CODE, published);
  expect([code, said]).toEqual([0, expect.stringContaining('20 leaves, yours: 1, each 5 hashes below the root')]);
});

test('the Registered Id is accepted in any case, as at sign-in', async () => {
  expect(await check(write('proof.json', seal), CODE.toLowerCase())).toMatchObject({ code: 0 });
});

test('without the published one it says that it has yet to be compared', async () => {
  const { code, said } = await check(write('proof.json', seal), CODE);
  expect(code).toBe(0);
  expect(said).toContain('Compare the hash with the published snapshot');
});

test.each<[string, () => string[], string]>([
  ['another member', () => [write('proof.json', seal), 'TWOTHER'], 'the balances belong to another member'],
  [
    'another published snapshot',
    () => [write('proof.json', seal), CODE, write('other.json', { data: aSeal(CODE, 64).snapshot })],
    'the proof is for another snapshot',
  ],
  ['no leaf', () => [write('none.json', { ...seal, leaf: null }), CODE], 'this member joined after'],
  ['another file', () => [write('odd.json', { some: 'thing' }), CODE], 'is not a proof of liabilities'],
  ['no JSON', () => [write('text.json', 'text'), CODE], 'Cannot read the file'],
  ['no arguments', () => [], 'Usage: '],
])('with %s it exits with 1 and the reason', async (_what, args, words) => {
  const { code, said } = await check(...args());
  expect(code).toBe(1);
  expect(said).toContain(words);
});
