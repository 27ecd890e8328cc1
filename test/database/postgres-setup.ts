import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { migrateAs } from '#server/migrate-database.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { type Cluster, makeClusterFolder, makeData, startCluster } from './postgres-cluster.ts';
import { makeRoles } from './postgres-roles.ts';

export const TEMPLATE = 'tradewind_template';
/** `TEST_AS_APP=1`: serves test databases as the role that owns nothing. Direct tampering by tests is then refused. */
export const isAsApp = process.env.TEST_AS_APP === '1';

/**
 * Temporary clusters, one per worker, each with a migrated database that each test file copies. They are not shared: a
 * seal waits for the oldest transaction of its whole cluster, including those of other files.
 */
export default async function setup(project: TestProject) {
  const workers = Array.from({ length: Number(project.config.maxWorkers) });
  const clusters = await Promise.all(workers.map(startMigratedCluster));
  project.provide(
    'postgresUrls',
    clusters.map((cluster) => cluster.url('postgres')),
  );
  const runFolder = makeClusterFolder(scratchFolder());
  project.provide('runFolder', runFolder);
  project.provide('migratedData', await (run.tradewindTemplate as Promise<string>));
  return async () => {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    rmSync(runFolder, { recursive: true, force: true });
  };
}

/** Shared by the whole run: each project has its own module instances, but all run in one process. */
const run = globalThis as { tradewindTemplate?: Promise<string> };

/** Temporary data needs no vacuuming, and has no replicas. */
const brief = ['autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0', 'checkpoint_timeout=1h'];

/** A cluster with the migrated database, to copy with `create database … template`. */
export async function startMigratedCluster(): Promise<Cluster> {
  run.tradewindTemplate ??= makeTemplate();
  const folder = makeClusterFolder(scratchFolder());
  const data = join(folder, 'data');
  execFileSync('cp', ['-a', await run.tradewindTemplate, data]);
  const cluster = await startCluster({ data, settings: brief });
  const stop = async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...cluster, stop };
}

/** Creates the data of a cluster with the migrated database, once for the whole run. @returns its folder */
async function makeTemplate(): Promise<string> {
  const folder = makeClusterFolder(scratchFolder());
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'made');
  makeData(data);
  const cluster = await startCluster({ data });
  const admin = connectPostgres(cluster.url('postgres'));
  await admin.runScript(`create database ${TEMPLATE}`);
  await admin.close();
  if (isAsApp) await migrateAs(makeRoles(cluster.url(TEMPLATE)).migrator);
  const template = connectPostgres(cluster.url(TEMPLATE));
  await migrate(template);
  await template.close();
  await cluster.stop();
  return data;
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    postgresUrls: readonly string[];
    /** The data folder of a stopped cluster with the migrated database, to be copied. */
    migratedData: string;
    /** A folder shared by the test files of a run, owned by the user that runs PostgreSQL. */
    runFolder: string;
    pgliteSnapshot: string;
  }
}
