import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');

/** With `--fix`, format and lint are mended where that is safe. */
const fix = process.argv.includes('--fix') ? ['--write'] : [];

/** `npm run check [-- --fix]`: format and lint, types, dead code, spelling, and the house rules of test/tidy.test.ts and test/texts.test.ts. */
const steps: [name: string, command: string[]][] = [
  ['format and lint', ['biome', 'check', '--error-on-warnings', ...fix, '.']],
  ['types', ['tsc', '-p', '.']],
  ['dead code', ['knip']],
  [
    'spelling',
    ['cspell', '--no-progress', '--no-summary', '--cache', '--cache-location', 'node_modules/.cache/cspell', '.'],
  ],
  ['tidy', ['vitest', 'run', '--project', 'unit', 'test/tidy.test.ts', 'test/texts.test.ts', '--reporter=dot']],
];

for (const [name, [program = '', ...args]] of steps) {
  const started = Date.now();
  const result = spawnSync(join(PROJECT, 'node_modules/.bin', program), args, { cwd: PROJECT, encoding: 'utf8' });
  if (result.status !== 0) {
    console.error(`${result.stdout}${result.stderr}\n${name}: failed`);
    process.exit(1);
  }
  console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
