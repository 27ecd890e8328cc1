import { pino } from 'pino';
import { prepare } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrateAs } from '#server/migrate-database.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { makeRoles } from '#test/database/postgres-roles.ts';

/** The cluster of a world's database, and the migrated database to copy, if there is one. */
export type FaultCluster = Pick<Cluster, 'url'> & { readonly template?: string };

export type FaultWorld = {
  readonly database: Database;
  readonly context: Context;
  /** The environment of a server of this world. */
  readonly env: Record<string, string>;
};

/** A separate database with everything that a server with these settings creates at its start. */
export async function openFaultWorld(
  cluster: FaultCluster,
  name: string,
  settings: Record<string, string>,
  connections = 3,
): Promise<FaultWorld> {
  await createFaultDatabase(cluster, name);
  const env = {
    LOG_LEVEL: 'error',
    SANDBOX_SECRET: 'a secret of these faults alone',
    ...settings,
    DATABASE_URL: await createServed(cluster.url(name), settings.MODE),
  };
  const database = connectPostgres(cluster.url(name), { max: connections });
  const context: Context = {
    db: database.db,
    config: readConfig(env),
    now: () => new Date(),
    log: pino({ level: 'error' }),
  };
  await prepare(context);
  return { database, context, env };
}

/** Outside paper mode servers refuse to run as superuser. @returns the URL for servers */
async function createServed(url: string, mode = 'paper'): Promise<string> {
  const urls = mode === 'paper' ? undefined : makeRoles(url);
  await migrateAs(urls?.migrator ?? url);
  return urls?.app ?? url;
}

async function createFaultDatabase({ url, template }: FaultCluster, name: string): Promise<void> {
  const admin = connectPostgres(url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  await admin.close();
}
