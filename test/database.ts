import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { connectEmbedded, connectPostgres, type Database } from '#server/db/connect.ts';
import { roleUrls } from './postgres-roles.ts';
import { isAsApp, TEMPLATE } from './postgres-setup.ts';

/**
 * A fresh, migrated database on the engine of the running test project. Call it in `beforeAll` (or per test where
 * isolation matters) and close it in `afterAll`.
 */
export async function openTestDatabase(): Promise<Database> {
  return inject('engine') === 'pglite' ? openEmbedded() : openPostgres();
}

async function openEmbedded(): Promise<Database> {
  return connectEmbedded(undefined, new Blob([readFileSync(inject('pgliteSnapshot'))]));
}

/** One without any migration, for tests of what a migration makes of the rows that it finds. */
export async function openEmptyDatabase(): Promise<Database> {
  return inject('engine') === 'pglite' ? connectEmbedded(undefined) : openPostgres('template0');
}

/** It is gone when it is closed, so that a cluster does not fill with what hundreds of tests left. */
async function openPostgres(template = TEMPLATE): Promise<Database> {
  const url = await createTestDatabase(template);
  const isServedAsApp = isAsApp && template === TEMPLATE;
  const database = connectPostgres(isServedAsApp ? roleUrls(url).app : url, { max: 30 });
  return {
    ...database,
    ...(isServedAsApp && { runScript: connectPostgres(url, { max: 1 }).runScript }),
    close: async () => {
      await database.close();
      await runOnCluster(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    },
  };
}

/** A fresh, migrated database of PostgreSQL for a process of its own. @returns its URL */
export async function createTestDatabase(template = TEMPLATE): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  // Through the log of the cluster, as by default, it takes twice as long.
  await runOnCluster(`create database ${name} template ${template} strategy file_copy`);
  return workerCluster().url(name);
}

/** Kept by the worker for all of its files: a connection that begins and ends costs a fifth of what it is to do. */
let admin: Pool | undefined;

async function runOnCluster(statement: string): Promise<void> {
  if (admin === undefined) {
    admin = new Pool({ connectionString: clusterOfThisWorker(), allowExitOnIdle: true });
    // One that a test ends with all others of its cluster is replaced.
    admin.on('error', () => {});
  }
  await admin.query(statement);
}

/** The cluster of this worker for worlds that live in databases of their own; each is a copy of a migrated one. */
export const workerCluster = (): { readonly url: (database: string) => string; readonly template: string } => ({
  url: (database) => clusterOfThisWorker().replace(/\/postgres$/, `/${database}`),
  template: TEMPLATE,
});

/** Workers are numbered from 1; each has a cluster to itself. */
export function clusterOfThisWorker(): string {
  const urls = inject('postgresUrls');
  return urls[Number(process.env.VITEST_POOL_ID ?? 1) % urls.length] as string;
}
