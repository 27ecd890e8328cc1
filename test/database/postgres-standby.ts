import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { type Cluster, clusterOwner, makeClusterFolder, startCluster } from './postgres-cluster.ts';

export type Standby = Cluster & {
  /** Waits until it has replayed everything the primary has written. */
  readonly catchUp: () => Promise<void>;
  /** Promotes it to accept writes. */
  readonly promote: () => Promise<void>;
};

/** A streaming standby, started from a new base backup. */
export async function startStandby(primary: Cluster, settings: string[] = []): Promise<Standby> {
  const folder = makeClusterFolder(scratchFolder());
  const data = join(folder, 'data');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'tradewind'];
  const backup = [...from, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
  execFileSync(join(primary.programs, 'pg_basebackup'), backup, { ...clusterOwner(), cwd: folder, stdio: 'pipe' });
  const cluster = await startCluster({ data, settings });
  const url = cluster.url('postgres');
  return {
    ...cluster,
    catchUp: async () => {
      const end = await ask(primary.url('postgres'), 'select pg_current_wal_lsn()');
      while ((await ask(url, `select pg_last_wal_replay_lsn() >= '${end}'`)) !== 'true') await wait(20);
    },
    promote: async () => {
      await ask(url, 'select pg_promote()');
    },
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The single value of a single row. */
async function ask(url: string, text: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return String((rows[0] as unknown[])[0]);
  } finally {
    await client.end();
  }
}
