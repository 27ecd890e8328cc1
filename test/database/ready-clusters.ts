import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { type Cluster, makeClusterFolder, makeData, startCluster } from './postgres-cluster.ts';
import { createRoleDatabase, type RoleUrls, roleUrls } from './postgres-roles.ts';

/** Clusters that a test file may change freely. Creating one takes seconds, copying one a tenth of that. */

/** With the migrated database `TEMPLATE`. Deleted by `stop`. */
export const startReadyCluster = (settings: string[] = []): Promise<Cluster> =>
  startCopy(inject('migratedData'), settings);

/** With one migrated database whose parts are accessed by role. Deleted by `stop`. */
export async function startRoleCluster(): Promise<{ readonly cluster: Cluster; readonly urls: RoleUrls }> {
  const cluster = await startCopy(await findRoleData());
  return { cluster, urls: roleUrls(cluster.url('tradewind')) };
}

async function startCopy(made: string, settings: string[] = []): Promise<Cluster> {
  const folder = makeClusterFolder(scratchFolder());
  const data = join(folder, 'data');
  execFileSync('cp', ['-a', made, data]);
  const cluster = await startCluster({ data, settings });
  const stop = async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...cluster, stop };
}

/** Created by the first test file that needs it, while others wait: few do. */
async function findRoleData(): Promise<string> {
  const folder = inject('runFolder');
  const [data, made] = [join(folder, 'roles'), join(folder, 'roles.made')];
  if (isFirst(join(folder, 'roles.making'))) {
    await makeRoleData(data);
    writeFileSync(made, '');
  } else await waitFor(async () => existsSync(made), 'another file had made the cluster with roles', 120_000);
  return data;
}

async function makeRoleData(data: string): Promise<void> {
  makeData(data);
  const cluster = await startCluster({ data });
  try {
    await createRoleDatabase(cluster, 'tradewind');
  } finally {
    await cluster.stop();
  }
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
