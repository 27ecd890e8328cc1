import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Cluster, findPostgresPrograms, startCluster } from './postgres-cluster.ts';

export const TEMPLATE = 'tradewind_template';

/**
 * Temporary clusters, one a worker, each with a migrated database that each test file copies. Not one for all: a seal
 * waits for the oldest transaction of the whole cluster, other files' included.
 */
export default async function setup(project: TestProject) {
  const programs = findPostgresPrograms();
  if (programs === undefined)
    throw new Error('PostgreSQL programs are not installed (Debian: apt-get install postgresql)');
  const workers = Number(project.vitest.config.maxWorkers);
  const clusters = await Promise.all(Array.from({ length: workers }, () => openCluster(programs)));
  project.provide(
    'postgresUrls',
    clusters.map((cluster) => cluster.url('postgres')),
  );
  return () => Promise.all(clusters.map((cluster) => cluster.stop()));
}

async function openCluster(programs: string): Promise<Cluster> {
  const cluster = await startCluster(programs);
  const admin = connectPostgres(cluster.url('postgres'));
  await admin.runScript(`create database ${TEMPLATE}`);
  await admin.close();
  const template = connectPostgres(cluster.url(TEMPLATE));
  await migrate(template);
  await template.close();
  return cluster;
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    postgresUrls: readonly string[];
    pgliteSnapshot: string;
  }
}
