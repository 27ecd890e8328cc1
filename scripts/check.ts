import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const PROJECT = join(import.meta.dirname, '..');
const RULES = ['test/tidy.test.ts', 'test/texts.test.ts'];
/** For the type checker, which exits soon anyway: garbage collection took two fifths of its time. */
const KEEPS_ALL = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

type Step = readonly [name: string, program: string, ...args: string[]];

/**
 * `npm run check [-- --fix]`: format and lint, types, dead code, spelling, and the house rules of test/tidy.test.ts and
 * test/texts.test.ts. Runs three lanes in parallel and starts the two longest steps first, so that no core idles at the
 * end. Type checking is single-threaded: a second thread would repeat much of the work and save no time.
 */
await runCommand(async () => {
  const flag = { type: 'boolean', default: false } as const;
  // `npm test` passes `--without-tests`, because it runs the house rules with all other tests.
  const { fix, 'without-tests': isShort } = parseArgs({ options: { fix: flag, 'without-tests': flag } }).values;
  const rules: Step = ['tidy', 'vitest', 'run', '--project', 'unit', ...RULES, '--reporter=dot'];
  const lanes: readonly (readonly Step[])[] = [
    [['types', 'tsc', '-p', '.', '--singleThreaded']],
    [['spelling', ...cspell()]],
    [
      ['format and lint', 'biome', 'check', '--error-on-warnings', ...(fix ? ['--write'] : []), '.'],
      ['dead code', 'knip'],
      ...(isShort ? [] : [rules]),
    ],
  ];
  const ended = await Promise.allSettled(lanes.map(runSteps));
  const failed = ended.filter((lane) => lane.status === 'rejected');
  for (const lane of failed) console.error((lane.reason as Error).message);
  return failed.length === 0 ? 0 : 1;
});

async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await runStep(step);
}

function cspell(): [string, ...string[]] {
  const cache = ['--cache', '--cache-location', 'node_modules/.cache/cspell'];
  return ['cspell', '--no-progress', '--no-summary', ...cache, '.'];
}

function runStep([name, program, ...args]: Step): Promise<void> {
  const started = Date.now();
  const env = program === 'tsc' ? { ...process.env, ...KEEPS_ALL } : process.env;
  const options = { cwd: PROJECT, maxBuffer: Number.POSITIVE_INFINITY, env };
  return new Promise((resolve, reject) => {
    execFile(join(PROJECT, 'node_modules/.bin', program), args, options, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`${stdout}${stderr}\n${name}: failed`));
      console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      resolve();
    });
  });
}
