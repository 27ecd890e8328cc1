import { execFile } from 'node:child_process';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');

/** With `--fix`, applies the safe fixes of format and lint. */
const fix = process.argv.includes('--fix') ? ['--write'] : [];
/** `npm test` passes `--without-tests`, because it runs the house rules with all other tests. */
const rules = process.argv.includes('--without-tests') ? [] : ['test/tidy.test.ts', 'test/texts.test.ts'];

type Step = readonly [name: string, program: string, ...args: string[]];

/**
 * `npm run check [-- --fix]`: format and lint, types, dead code, spelling, and the house rules of test/tidy.test.ts and
 * test/texts.test.ts. Runs three lanes in parallel and starts the two longest steps first, so that no core idles at the
 * end. Type checking is single-threaded: a second thread would repeat much of the work and save no time.
 */
const lanes: readonly (readonly Step[])[] = [
  [['types', 'tsc', '-p', '.', '--singleThreaded']],
  [['spelling', ...cspell()]],
  [
    ['format and lint', 'biome', 'check', '--error-on-warnings', ...fix, '.'],
    ['dead code', 'knip'],
    ...(rules.length > 0 ? [['tidy', 'vitest', 'run', '--project', 'unit', ...rules, '--reporter=dot'] as const] : []),
  ],
];

function cspell(): [string, ...string[]] {
  const cache = ['--cache', '--cache-location', 'node_modules/.cache/cspell'];
  return ['cspell', '--no-progress', '--no-summary', ...cache, '.'];
}

/** For the type checker, which exits soon anyway: garbage collection took two fifths of its time. */
const keepsAll = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

function runStep([name, program, ...args]: Step): Promise<void> {
  const started = Date.now();
  const env = program === 'tsc' ? { ...process.env, ...keepsAll } : process.env;
  const options = { cwd: PROJECT, maxBuffer: Number.POSITIVE_INFINITY, env };
  return new Promise((resolve, reject) => {
    execFile(join(PROJECT, 'node_modules/.bin', program), args, options, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`${stdout}${stderr}\n${name}: failed`));
      console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      resolve();
    });
  });
}

const ended = await Promise.allSettled(
  lanes.map(async (steps) => {
    for (const step of steps) await runStep(step);
  }),
);
for (const lane of ended) {
  if (lane.status === 'fulfilled') continue;
  console.error((lane.reason as Error).message);
  process.exitCode = 1;
}
