import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { connectPostgres } from '#server/db/connect.ts';
import { migrateAs } from '#server/migrate-database.ts';
import { type Cluster, requirePostgresPrograms } from './postgres-cluster.ts';

const ROLES = join(import.meta.dirname, '../../deploy/roles.sql');

export type RoleUrls = {
  /** The creator of the cluster, with the powers of the machine's owner. */
  readonly superuser: string;
  readonly migrator: string;
  readonly app: string;
  readonly reader: string;
};

/** URLs of a database by role; test clusters require no password. */
export function roleUrls(superuser: string): RoleUrls {
  const as = (name: string) => {
    const url = new URL(superuser);
    url.username = name;
    return url.href;
  };
  return {
    superuser,
    migrator: as('tradewind_migrator'),
    app: as('tradewind_app'),
    reader: as('tradewind_reader'),
  };
}

/** Runs `deploy/roles.sql` on a database as superuser, as an operator does. */
export function makeRoles(url: string, passwords: Readonly<Record<string, string>> = {}): RoleUrls {
  const env = { PATH: process.env.PATH, ...passwords };
  execFileSync(join(requirePostgresPrograms(), 'psql'), ['-X', '-q', '-d', url, '-f', ROLES], { stdio: 'pipe', env });
  return roleUrls(url);
}

/** A new database with roles, migrated by the migrator. */
export async function createRoleDatabase(cluster: Cluster, name: string): Promise<RoleUrls> {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}`);
  await admin.close();
  const urls = makeRoles(cluster.url(name));
  await migrateAs(urls.migrator);
  return urls;
}
