import { expect, test } from 'vitest';
import { runScript } from '#test/run-script.ts';

/** Arguments that these commands do not have, with what they say of them. */
const wrong: readonly (readonly [script: string, words: string, said: RegExp])[] = [
  ['migrate.ts', 'now', /^Unexpected argument 'now'/],
  ['income-verify.ts', '--heads x', /^Unknown option '--heads'/],
  ['audit-walk.ts', '--fast', /^Unknown option '--fast'/],
  ['venue-report.ts', 'kraken', /^Unexpected argument 'kraken'/],
  ['rehearse-restore.ts', '--archive /archive', /^A backup needs --backup, --archive and --identity/],
  ['rehearse-restore.ts', '20 30', /^Unexpected argument '30'/],
  ['texts.ts', 'xx', /^Usage: npm run texts/],
  ['texts.ts', '../de', /^Usage: npm run texts/],
  ['../test/faults/run.ts', 'zzz', /^There is no zzz, only /],
  ['../test/fuzz/run.ts', '--foo', /^Unknown option '--foo'/],
  ['../test/simulated-users/run.ts', 'missing', /^Usage: npm run sessions/],
];

test.for(wrong)('%s refuses %s in one line', async ([script, words, said]) => {
  const ended = await runScript(script, words.split(' '), { DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^.+\n$/), code: 1 });
  expect(ended.stderr).toMatch(said);
});
