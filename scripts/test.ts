import { findPostgresPrograms } from '#test/database/postgres-cluster.ts';
import { runNode, runVitest } from './run-vitest.ts';

/**
 * `npm test`: the checks of `npm run check`, then unit and web tests, one engine (PostgreSQL if installed), race tests,
 * and three browser journeys. `npm run test:full`: the rest.
 */
async function main(): Promise<number> {
  const [name = '', ...more] = process.argv.slice(2);
  const hasPostgres = findPostgresPrograms() !== undefined;
  if (!hasPostgres && process.env.CI === 'true') {
    console.error('CI needs PostgreSQL (Debian: apt-get install postgresql).');
    return 1;
  }
  if (!hasPostgres)
    console.log('PostgreSQL is not installed here: its tests are left out (Debian: apt-get install postgresql).');
  if (name === 'full') {
    if ((await runNode(['scripts/build.ts'])) !== 0) return 1;
    return runVitest('full', ['properties', ...(hasPostgres ? ['long', 'pglite', 'outages'] : []), 'e2e'], more);
  }
  const prepared = await Promise.all([runNode(['scripts/check.ts', '--without-tests']), runNode(['scripts/build.ts'])]);
  if (prepared.some((status) => status !== 0)) return 1;
  return runVitest('short', ['unit', 'web', ...(hasPostgres ? ['postgres', 'timed'] : ['pglite']), 'journeys'], more);
}

process.exitCode = await main();
