import { findPostgresPrograms } from '#test/postgres-cluster.ts';
import { runNode, runVitest } from './run-vitest.ts';

/** `npm test`: all that `npm run check` looks at, then every test on every engine that this machine has. */
async function main(): Promise<number> {
  const hasPostgres = findPostgresPrograms() !== undefined;
  if (!hasPostgres && process.env.CI === 'true') {
    console.error('CI needs PostgreSQL (Debian: apt-get install postgresql).');
    return 1;
  }
  if (!hasPostgres)
    console.log('PostgreSQL is not installed here: its tests are left out (Debian: apt-get install postgresql).');
  const prepared = await Promise.all([runNode(['scripts/check.ts']), runNode(['scripts/build.ts'])]);
  if (prepared.some((status) => status !== 0)) return 1;
  const projects = ['unit', 'web', 'pglite', ...(hasPostgres ? ['postgres'] : []), 'e2e'];
  return runVitest(projects, process.argv.slice(2));
}

process.exitCode = await main();
