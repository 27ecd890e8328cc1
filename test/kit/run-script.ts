import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledBefore } from './server-process.ts';

const PROJECT = join(import.meta.dirname, '../..');

export type Ended = { readonly stdout: string; readonly stderr: string; readonly code: number };

/** Runs a script of the project to its end in a separate process, with these settings only. */
export async function runScript(name: string, words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const run = promisify(execFile)(process.execPath, [join(PROJECT, 'scripts', name), ...words], {
    env: { PATH: process.env.PATH, ...compiledBefore, ...env },
  });
  const { stdout, stderr, code } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (failed: Ended) => failed,
  );
  return { stdout, stderr, code };
}
