import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makeKeyFile, makeStatement, PrivateKey } from '#server/signing/index.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { scratchFolder } from './scratch-folder.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** Lets processes of the project share compiled sources, which saves a third of their start. */
export const compiledBefore = { NODE_COMPILE_CACHE: join(PROJECT, 'node_modules/.cache/tradewind-compiled') };

/** Starts like `npm start` and `deploy/`: early garbage collection, and one memory pool for all threads. */
export const asDeployed = {
  program: ['--max-semi-space-size=4', '--heap-growing-percent=20', 'server/main.ts'],
  env: { MALLOC_ARENA_MAX: '1' },
} as const;

export type ServerProcess = {
  readonly origin: string;
  /** Sends SIGKILL, like a power cut. */
  readonly kill: () => Promise<void>;
  /** Asks it to shut down. @returns its exit code */
  readonly stop: () => Promise<number | null>;
  readonly pid: number;
  /** Its output, for messages of failing tests. */
  readonly output: () => string;
};

/**
 * The real server as a separate process, on a free port and with an embedded database in a temporary folder, unless the
 * environment sets others.
 */
export async function startServer(
  env: Record<string, string> = {},
  patienceSeconds = 120,
  program: readonly string[] = ['server/main.ts'],
): Promise<ServerProcess> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const folder = env.DATA_DIR ?? mkdtempSync(join(scratchFolder(), 'tradewind-server-'));
  // Restarted servers share their database, and so must share the key that signs its seals.
  const key = env.DATABASE_URL === undefined ? {} : { SEAL_KEY_FILE: sharedKeyFile() };
  const child = spawn(process.execPath, program, {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      DEMO: '0',
      ...compiledBefore,
      ...key,
      ...env,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const origin = `http://127.0.0.1:${port}`;
  const end = async (signal: NodeJS.Signals) => {
    await endProcess(child, signal);
    if (env.DATA_DIR === undefined) rmSync(folder, { recursive: true, force: true });
    return child.exitCode;
  };
  try {
    await waitUntilReady(origin, child, patienceSeconds, () => output.includes('Tradewind serves on'));
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`The server did not become ready:\n${output}`, { cause: error });
  }
  const kill = async () => void (await end('SIGKILL'));
  return { origin, pid: child.pid as number, kill, stop: () => end('SIGTERM'), output: () => output };
}

/** One key for all test databases, which include copies and failed-over ones: wherever these find room. */
export function sharedKeyFile(): string {
  const file = join(tmpdir(), `tradewind-test-${userInfo().uid}`, 'seal.key');
  const key = PrivateKey.make();
  makeKeyFile(file, { key, statements: [makeStatement(key, { ledger: 0n, audit: 0n, liabilities: 0n }, new Date(0))] });
  return file;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** @param isServing whether the process says that it serves: another program that has taken the port may reply as well */
async function waitUntilReady(
  origin: string,
  child: ChildProcess,
  patienceSeconds: number,
  isServing: () => boolean,
): Promise<void> {
  // Another program that has taken the port may never reply.
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  for (let attempt = 0; attempt < patienceSeconds * 10; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`exit ${child.exitCode}`);
    const isReady =
      isServing() &&
      (await fetch(`${origin}/readyz`, { signal: ended.signal }).then(
        (reply) => reply.ok,
        () => false,
      ));
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not ready within ${patienceSeconds} s`);
}
