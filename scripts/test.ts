import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgresPrograms } from '#test/postgres-cluster.ts';

const PROJECT = join(import.meta.dirname, '..');
const REPORT = join(PROJECT, 'test-results/vitest.json');

/** `npm test`: all that `npm run check` looks at, then every test on every engine that this machine has. */
async function main(): Promise<number> {
  const hasPostgres = findPostgresPrograms() !== undefined;
  if (!hasPostgres && process.env.CI === 'true') {
    console.error('CI needs PostgreSQL (Debian: apt-get install postgresql).');
    return 1;
  }
  if (!hasPostgres)
    console.log('PostgreSQL is not installed here: its tests are left out (Debian: apt-get install postgresql).');
  const prepared = await Promise.all([run(['scripts/check.ts']), run(['scripts/build.ts'])]);
  if (prepared.some((status) => status !== 0)) return 1;
  mkdirSync(join(PROJECT, 'test-results'), { recursive: true });
  const projects = ['unit', 'web', 'pglite', ...(hasPostgres ? ['postgres'] : []), 'e2e'];
  const status = await run([
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...process.argv.slice(2),
  ]);
  const report = JSON.parse(readFileSync(REPORT, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
  };
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`);
  return status;
}

function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
}

process.exitCode = await main();
