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

/** A database without any migration, for tests of how migrations change existing rows. */
export async function openEmptyDatabase(): Promise<Database> {
  return inject('engine') === 'pglite' ? connectEmbedded(undefined) : openPostgres('template0');
}

/** Closing drops the database, so that a cluster does not fill up over hundreds of tests. */
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

/** A fresh, migrated PostgreSQL database for a separate process. @returns its URL */
export async function createTestDatabase(template = TEMPLATE): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  // The default, copying through the WAL, takes twice as long.
  await runOnCluster(`create database ${name} template ${template} strategy file_copy`);
  return workerCluster().url(name);
}

/** Shared by all files of a worker: connecting costs a fifth of the work itself. */
let admin: Pool | undefined;

async function runOnCluster(statement: string): Promise<void> {
  if (admin === undefined) {
    admin = new Pool({ connectionString: clusterOfThisWorker(), allowExitOnIdle: true });
    // The pool replaces a connection that a test terminates with all others of its cluster.
    admin.on('error', () => {});
  }
  await admin.query(statement);
}

/** This worker's cluster, for worlds that use their own copies of the migrated database. */
export const workerCluster = (): { readonly url: (database: string) => string; readonly template: string } => ({
  url: (database) => clusterOfThisWorker().replace(/\/postgres$/, `/${database}`),
  template: TEMPLATE,
});

/** Workers are numbered from 1; each has its own cluster. */
export function clusterOfThisWorker(): string {
  const urls = inject('postgresUrls');
  return urls[Number(process.env.VITEST_POOL_ID ?? 1) % urls.length] as string;
}
