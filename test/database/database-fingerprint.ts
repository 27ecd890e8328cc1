import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';

/** A hash of the rows of every table: equal fingerprints mean that nothing was written in between. */
export async function fingerprint(db: Db): Promise<ReadonlyMap<string, string>> {
  const tables = await listRows(db)<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'pgboss') order by 1`;
  const prints = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    prints.set(name, createHash('sha256').update(JSON.stringify(rows)).digest('hex'));
  }
  return prints;
}

/** Names of the tables that changed. */
export const changedTables = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);
