import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '#test/kit/run-script.ts';

const play = (...words: string[]) => runScript('test-recorded.ts', words, {});

test('without a folder it fails', async () => {
  expect(await play()).toEqual({ stdout: '', stderr: 'FOLDER: required\n', code: 1 });
});

test('a missing folder, or one that lacks a coin, is named, and it fails', async () => {
  expect(await play('/no/such/folder')).toEqual({
    stdout: '',
    stderr: '32 of 32 recordings are missing: /no/such/folder/15m/btc.csv.gz\n',
    code: 1,
  });
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-recordings-'));
  mkdirSync(join(folder, '15m'));
  writeFileSync(join(folder, '15m/btc.csv.gz'), '');
  expect((await play(folder)).stderr).toContain('31 of 32 recordings are missing: ');
  rmSync(folder, { recursive: true });
});
