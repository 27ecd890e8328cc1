import { resolve } from 'node:path';
import { BadConfig } from '#server/config.ts';
import { requirePostgresPrograms } from '#test/database/postgres-cluster.ts';
import { findMissing } from '#test/recorded/recordings.ts';
import { runCommand } from './run-command.ts';
import { runNode, runVitest } from './run-vitest.ts';

/**
 * `npm run test:recorded -- FOLDER`: runs the replay tests on recordings of an exchange. FOLDER/15m and FOLDER/1m each
 * hold `<coin>.csv.gz` for all 16 coins, with at least a dozen (15m) and two (1m) complete sessions.
 */
await runCommand(async () => {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined) throw new BadConfig('FOLDER: required');
  const missing = findMissing(folder);
  if (missing !== undefined) throw new BadConfig(missing);
  requirePostgresPrograms();
  if ((await runNode(['scripts/build.ts'])) !== 0) return 1;
  return (await runVitest('recorded', ['recorded'], more, { RECORDINGS: resolve(folder) })) === 0 ? 0 : 1;
});
