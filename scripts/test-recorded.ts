import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { symbols } from '#contract/rules.ts';
import { findPostgresPrograms } from '#test/postgres-cluster.ts';
import { runNode, runVitest } from './run-vitest.ts';

/**
 * `npm run test:recorded -- FOLDER`: runs the replay tests on recordings of an exchange. FOLDER/15m and FOLDER/1m each
 * hold `<coin>.csv.gz` for all 16 coins, with at least a dozen (15m) and two (1m) complete sessions.
 */
async function main([folder, ...more]: readonly string[]): Promise<number> {
  const problem = findProblem(folder);
  if (folder === undefined || problem !== undefined) {
    console.error(problem);
    return 1;
  }
  if ((await runNode(['scripts/build.ts'])) !== 0) return 1;
  return runVitest('recorded', ['recorded'], more, { RECORDINGS: resolve(folder) });
}

function findProblem(folder: string | undefined): string | undefined {
  if (folder === undefined)
    return 'Usage: npm run test:recorded -- FOLDER, with 15m/<coin>.csv.gz and 1m/<coin>.csv.gz in it.';
  const wanted = ['15m', '1m'].flatMap((step) => symbols.map((symbol) => join(folder, step, `${symbol}.csv.gz`)));
  const missing = wanted.filter((path) => !existsSync(path));
  if (missing.length > 0) return `${missing.length} of ${wanted.length} recordings are missing: ${missing[0]}`;
  return findPostgresPrograms() === undefined
    ? 'PostgreSQL is required (Debian: apt-get install postgresql).'
    : undefined;
}

process.exitCode = await main(process.argv.slice(2));
