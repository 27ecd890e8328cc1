import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clusterOwner, freePort, makeClusterFolder } from './postgres-cluster.ts';

/** The program, or undefined if it is not installed. */
export function findPgbouncer(): string | undefined {
  const folders = ['/usr/sbin', '/usr/bin', ...(process.env.PATH ?? '').split(':')];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path));
}

export type Pooler = {
  readonly url: (database: string) => string;
  readonly stop: () => Promise<void>;
};

/**
 * A PgBouncer in transaction mode in front of a local cluster. With its defaults it accepts none of our startup
 * parameters. Its pool is so small that two transactions of a client rarely get the same connection.
 */
export async function startPgbouncer(program: string, clusterPort: number): Promise<Pooler> {
  const folder = makeClusterFolder();
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${clusterPort} user=tradewind
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 300
server_round_robin = 1
`,
  );
  const child = spawn(program, [settings], { ...clusterOwner(), cwd: folder, stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await wait(20);
  }
  return {
    url: (database) => `postgresql://tradewind@127.0.0.1:${port}/${database}`,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
