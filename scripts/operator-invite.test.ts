import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectEmbedded } from '#server/db/connect.ts';
import { runScript } from '#test/kit/run-script.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(scratchFolder(), 'tradewind-invite-'));
  await (await connectEmbedded(folder)).close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const invite = (...words: string[]) =>
  runScript('operator-invite.ts', words, { DATA_DIR: folder, PUBLIC_URL: 'https://tradewind.test' });

test('prints an invitation link, refuses an existing operator, and leaves a ledger that verifies', {
  timeout: 180_000,
}, async () => {
  // Such as ADMIN_EMAIL may be; a member's may not.
  const invited = await invite('olga+desk@mail.exchange', 'Olga Berg', 'admin');
  expect(invited).toMatchObject({ stderr: '', code: 0 });
  expect(invited.stdout).toMatch(
    /^Invited Olga Berg as admin\. .*\nhttps:\/\/tradewind\.test\/operator\/invitation#[A-Za-z0-9_-]{43}\n$/,
  );
  const again = await invite('OLGA+desk@mail.exchange', 'Olga Berg', 'finance');
  expect(again).toEqual({ stdout: '', stderr: 'An operator with this email address already exists.\n', code: 1 });
  // Runs on the embedded database; ledger-verify.pg.test.ts covers PostgreSQL.
  const verified = await runScript('ledger-verify.ts', [], { DATA_DIR: folder });
  expect(verified).toMatchObject({ stderr: '', code: 0 });
  expect(verified.stdout).toMatch(/^Ledger verified: no discrepancies\.\n$/m);
});

test('invites nobody to a database that it would have to create', async () => {
  const missing = join(folder, 'nowhere');
  expect(
    await runScript('operator-invite.ts', ['olga@mail.test', 'Olga Berg', 'admin'], { DATA_DIR: missing }),
  ).toEqual({ stdout: '', stderr: `DATA_DIR: no database in ${missing}. Start the server once.\n`, code: 1 });
  expect(existsSync(missing)).toBe(false);
});

const ALL = 'EMAIL, NAME and ROLE: all required; put a name of several words in quotes\n';

test.each([
  ['an invalid email address', ['olga', 'Olga', 'admin'], 'EMAIL: must be an email address\n'],
  ['an unknown role', ['olga@mail.test', 'Olga', 'king'], 'ROLE: must be one of support, finance, admin\n'],
  ['nothing', [], ALL],
  ['a name without quotes', ['olga@mail.test', 'Olga', 'Berg', 'admin'], ALL],
])('%s is answered with one line', async (_what, words, stderr) => {
  expect(await invite(...words)).toEqual({ stdout: '', stderr, code: 1 });
});
