import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPgbouncer } from '#test/database/pgbouncer.ts';
import { findPostgresPrograms } from '#test/database/postgres-cluster.ts';

/** Paths of the cluster's programs. */
export type Programs = {
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
  readonly pgbouncer: string;
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
};

const find = (name: string): string | undefined =>
  ['/usr/sbin', '/usr/bin', ...(process.env.PATH ?? '').split(':')]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** The programs, or the missing Debian packages. */
export function findPrograms(): Programs | { readonly missing: readonly string[] } {
  const [postgres, pgbouncer] = [findPostgresPrograms(), findPgbouncer()];
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map(find);
  if (postgres && pgbouncer && patroni && etcd && haproxy) return { postgres, pgbouncer, patroni, etcd, haproxy };
  const found = { postgresql: postgres, pgbouncer, patroni, 'etcd-server': etcd, haproxy };
  return { missing: Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : [])) };
}
