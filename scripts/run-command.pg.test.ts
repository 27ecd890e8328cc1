import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';
import { runScript } from '#test/kit/run-script.ts';

test.each([
  ['backtest.ts', ['--strategy', 'momentum']],
  ['seal-rotate.ts', ['--lost']],
])('%s answers an empty and an unavailable database with one line', async (script, words) => {
  const run = (DATABASE_URL: string) => runScript(script, words, { DATABASE_URL, SEAL_KEY_FILE: '/nowhere/seal.key' });
  expect(await run(await createTestDatabase('template0'))).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The database is empty. Start the server once, or run npm run migrate.\n',
  });
  expect(await run('postgresql://127.0.0.1:1/none')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'PostgreSQL is not available (ECONNREFUSED).\n',
  });
});
