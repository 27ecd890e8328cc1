import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { findPostgresPrograms, startCluster } from './postgres-cluster.ts';

export const TEMPLATE = 'tradewind_template';

/** One temporary cluster for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject) {
  const programs = findPostgresPrograms();
  if (programs === undefined)
    throw new Error('PostgreSQL programs are not installed (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs);
  const admin = connectPostgres(cluster.url('postgres'));
  await admin.runScript(`create database ${TEMPLATE}`);
  await admin.close();
  const template = connectPostgres(cluster.url(TEMPLATE));
  await migrate(template);
  await template.close();
  project.provide('postgresUrl', cluster.url('postgres'));
  return () => cluster.stop();
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    postgresUrl: string;
    pgliteSnapshot: string;
  }
}
