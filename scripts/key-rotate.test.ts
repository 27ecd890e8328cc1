import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectEmbedded } from '#server/db/connect.ts';
import { runScript } from '#test/kit/run-script.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(scratchFolder(), 'tradewind-keys-'));
  await (await connectEmbedded(folder)).close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rotate = (...words: string[]) => runScript('key-rotate.ts', words, { DATA_DIR: folder });

test('creates versions, and shows what still needs an old one and until when', {
  timeout: 180_000,
}, async () => {
  const made = await rotate();
  expect(made).toMatchObject({ stderr: '', code: 0 });
  const [otp, before, ...snapshots] = made.stdout.trimEnd().split('\n');
  expect(otp).toMatch(/^otp: version 2, made \S+Z, named by 0 rows, current$/);
  expect(before).toMatch(/^otp: version 1, made \S+Z, named by 0 rows, can be retired from \S+Z$/);
  expect(snapshots).toEqual([
    expect.stringMatching(/^solvency: version 2, .*, current$/),
    expect.stringMatching(/^solvency: version 1, /),
  ]);
  // Old versions cannot be deleted within the first hour.
  expect((await rotate('--retire')).stdout).toBe(made.stdout);
  expect((await rotate('--list')).stdout).toBe(made.stdout);
});
