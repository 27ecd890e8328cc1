import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');

/** Runs the tests of these projects and prints one line of totals at the end. @returns the exit code */
export async function runVitest(
  name: string,
  projects: readonly string[],
  more: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<number> {
  const report = join(PROJECT, `test-results/${name}.json`);
  mkdirSync(join(PROJECT, 'test-results'), { recursive: true });
  const status = await runNode(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...more,
    ],
    env,
  );
  const counted = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
  };
  console.log(`${counted.numPassedTests} passed, ${counted.numFailedTests} failed, ${counted.numPendingTests} skipped`);
  return status;
}

/** Runs a program of this project in its folder. @returns the exit code */
export function runNode(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
}
