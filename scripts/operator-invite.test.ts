import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiledBefore } from '#test/server-process.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-invite-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const invite = async (...words: string[]) => {
  const script = join(import.meta.dirname, 'operator-invite.ts');
  const run = promisify(execFile)(process.execPath, [script, ...words], {
    env: { PATH: process.env.PATH, ...compiledBefore, DATA_DIR: folder, PUBLIC_URL: 'https://tradewind.test' },
  });
  const { stdout, stderr, code } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { stdout, stderr, code };
};

test('prints a link that invites, and refuses who is an operator already, and words it does not know', {
  timeout: 180_000,
}, async () => {
  const invited = await invite('olga@mail.test', 'Olga Berg', 'admin');
  expect(invited).toMatchObject({ stderr: '', code: 0 });
  expect(invited.stdout).toMatch(
    /^Olga Berg is invited as admin\. .*\nhttps:\/\/tradewind\.test\/operator\/invitation#[A-Za-z0-9_-]{43}\n$/,
  );
  const again = await invite('OLGA@mail.test', 'Olga Berg', 'finance');
  expect(again).toEqual({ stdout: '', stderr: 'This mail address is an operator already.\n', code: 1 });
  for (const words of [
    ['olga', 'Olga', 'admin'],
    ['olga@mail.test', 'Olga', 'king'],
  ]) {
    const refused = await invite(...words);
    expect(refused).toMatchObject({ stdout: '', code: 1 });
    expect(refused.stderr).toContain('Usage: npm run operator:invite -- MAIL NAME ROLE');
  }
});
