import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BadConfig } from '#server/config.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

const CANDIDATES = ['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`);

/** The folder of the PostgreSQL programs, or undefined if they are not installed. */
export function findPostgresPrograms(): string | undefined {
  const folders = [...CANDIDATES, ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** @throws BadConfig if they are not installed: for commands that cannot do without */
export function requirePostgresPrograms(): string {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new BadConfig('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  return programs;
}

/** Lets the server reuse the memory of finished statements, instead of returning it and zeroing it again. */
const keepsMemory = { MALLOC_TRIM_THRESHOLD_: String(256 * 2 ** 20), MALLOC_MMAP_THRESHOLD_: String(32 * 2 ** 20) };
const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };

export type Cluster = {
  /** URL of a database of the cluster. */
  readonly url: (database: string) => string;
  readonly programs: string;
  readonly port: number;
  /** Kills the server at once, like a power cut; `start` restarts it. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Suspends all server processes, so that nothing replies and no connection ends; `thaw` resumes them. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * A temporary cluster on a free loopback port, deleted by `stop`. PostgreSQL refuses to run as root, so root switches
 * to another user. `durable` keeps fsync on, for benchmarks. `data` is the folder of an existing cluster to use, which
 * is not deleted. `parent` overrides the folder that contains the cluster.
 *
 * @throws BadConfig if PostgreSQL is not installed
 */
export async function startCluster(
  options: { durable?: boolean; settings?: string[]; data?: string; parent?: string } = {},
): Promise<Cluster> {
  const programs = requirePostgresPrograms();
  const folder = makeClusterFolder(options.parent ?? (options.durable ? tmpdir() : scratchFolder()));
  const asOwner = clusterOwner();
  const data = options.data ?? join(folder, 'data');
  if (options.data === undefined) makeData(data);
  const port = await freePort();
  const speed = options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    // Results do not depend on it; by default it is the machine's.
    'timezone=America/New_York',
    ...speed,
    ...(options.settings ?? []),
  ];
  let server: ReturnType<typeof spawn> | undefined;

  const start = async () => {
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    server = spawn(join(programs, 'postgres'), args, {
      ...asOwner,
      stdio: 'ignore',
      cwd: folder,
      env: options.durable ? env : { ...env, ...keepsMemory },
    });
    await waitReady(programs, port);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(signal);
    await gone;
  };
  // While stopped, the postmaster starts no further processes and reaps none, so each id that is read still exists.
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const first = server?.pid ?? 0;
    process.kill(first, 'SIGSTOP');
    const others = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
    for (const pid of [...others, first]) process.kill(Number(pid), name);
  };
  await start();
  return {
    url: (database) => `postgresql://tradewind@127.0.0.1:${port}/${database}`,
    programs,
    port,
    start,
    kill: () => end('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the data of an empty cluster in a new folder, whose parent belongs to the user that runs PostgreSQL. */
export function makeData(data: string): void {
  const making = ['-D', data, '-U', 'tradewind', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(requirePostgresPrograms(), 'initdb'), making, {
    ...clusterOwner(),
    env,
    stdio: 'pipe',
    cwd: dirname(data),
  });
}

/** A new temporary folder of the user that runs PostgreSQL. */
export function makeClusterFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'tradewind-pg-'));
  const { uid, gid } = clusterOwner();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** The user that runs PostgreSQL's programs: the current one, unless that is root. */
export const clusterOwner = (): { uid?: number; gid?: number } => (process.getuid?.() === 0 ? unprivilegedUser() : {});

function unprivilegedUser(): { uid: number; gid: number } {
  const user = ['postgres', 'nobody'].find((name) => {
    try {
      execFileSync('id', [name], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  });
  if (user === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to drop to');
  const ask = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

/**
 * A port that nobody else is given meanwhile: the connection closed on it keeps it, for a minute, from all but those who
 * ask for this very port.
 */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  const caller = connect(port, '127.0.0.1').resume();
  const [called] = (await once(probe, 'connection')) as [Socket];
  // The side that closes first keeps the port.
  called.end();
  await once(caller, 'close');
  await promisify(probe.close.bind(probe))();
  return port;
}

async function waitReady(programs: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      execFileSync(
        join(programs, 'psql'),
        ['-h', '127.0.0.1', '-p', String(port), '-U', 'tradewind', '-c', 'select 1', 'postgres'],
        { stdio: 'pipe', env },
      );
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('PostgreSQL did not become ready');
}
