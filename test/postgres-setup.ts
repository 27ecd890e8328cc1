import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { migrateAs } from '#server/migrate-database.ts';
import { findPostgresPrograms, makeClusterFolder, makeData, startCluster } from './postgres-cluster.ts';
import { makeRoles } from './postgres-roles.ts';
import { scratchFolder } from './scratch-folder.ts';

export const TEMPLATE = 'tradewind_template';
/** `TEST_AS_APP=1`: test databases are served as the role that owns nothing. What tests forge by hand is then refused. */
export const isAsApp = process.env.TEST_AS_APP === '1';

/**
 * Temporary clusters, one a worker, each with a migrated database that each test file copies. Not one for all: a seal
 * waits for the oldest transaction of the whole cluster, other files' included.
 */
export default async function setup(project: TestProject) {
  const programs = findPostgresPrograms();
  if (programs === undefined)
    throw new Error('PostgreSQL programs are not installed (Debian: apt-get install postgresql)');
  const workers = Number(project.vitest.config.maxWorkers);
  const folder = makeClusterFolder(scratchFolder());
  const made = join(folder, 'made');
  await makeTemplate(programs, made);
  const copies = Array.from({ length: workers }, (_, index) => join(folder, `copy-${index}`));
  for (const copy of copies) execFileSync('cp', ['-a', made, copy]);
  const clusters = await Promise.all(copies.map((data) => startCluster(programs, { data })));
  project.provide(
    'postgresUrls',
    clusters.map((cluster) => cluster.url('postgres')),
  );
  return async () => {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The data of a cluster with the migrated database, made once for all of them. */
async function makeTemplate(programs: string, data: string): Promise<void> {
  makeData(programs, data);
  const cluster = await startCluster(programs, { data });
  const admin = connectPostgres(cluster.url('postgres'));
  await admin.runScript(`create database ${TEMPLATE}`);
  await admin.close();
  if (isAsApp) await migrateAs(makeRoles(programs, cluster.url(TEMPLATE)).migrator);
  const template = connectPostgres(cluster.url(TEMPLATE));
  await migrate(template);
  await template.close();
  await cluster.stop();
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    postgresUrls: readonly string[];
    pgliteSnapshot: string;
  }
}
