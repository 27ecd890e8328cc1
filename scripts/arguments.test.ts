import { expect, test } from 'vitest';
import { runScript } from '#test/run-script.ts';

/** Arguments that these commands do not have, with what they say of them. */
const wrong: readonly (readonly [script: string, words: string, said: RegExp])[] = [
  ['texts.ts', 'xx', /^Usage: npm run texts/],
  ['texts.ts', '../de', /^Usage: npm run texts/],
];

test.for(wrong)('%s refuses %s in one line', async ([script, words, said]) => {
  const ended = await runScript(script, words.split(' '), { DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^.+\n$/), code: 1 });
  expect(ended.stderr).toMatch(said);
});
