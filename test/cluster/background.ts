import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterOwner } from '#test/database/postgres-cluster.ts';

/** A program that runs until it is killed; its output goes to a file, for messages of failures. */
export type Background = {
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly isRunning: () => boolean;
  /** The last lines of its output. */
  readonly tail: () => string;
};

/** Starts a program in its own folder, as the user that runs PostgreSQL. */
export function runInBackground(
  [program, ...args]: readonly [string, ...string[]],
  folder: string,
  name: string,
): Background {
  const file = join(folder, `${name}.log`);
  const log = openSync(file, 'a', 0o666);
  const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' };
  const child = spawn(program, args, { ...clusterOwner(), cwd: folder, env, stdio: ['ignore', log, log] });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    tail: () => readFileSync(file, 'utf8').split('\n').slice(-30).join('\n'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
