import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig } from '../config.ts';
import type { Database, Db } from './connect.ts';
import { isDatabaseGone } from './faults.ts';
import { findRow, getValue, listRows } from './rows.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = 7_301_001;
/** A migration raises this, with a message for operators, if the database is not ready for it. */
const REFUSED = 'TWV01';
/** Calls that need a table wait behind a migration that waits for it. */
const LOCK_SECONDS = 10;

type Migration = { number: number; name: string; text: string; checksum: string };

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return {
        number: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    });
}

/** The number of the last migration. */
const KNOWN = readMigrations().at(-1)?.number ?? 0;

/**
 * Migrates the schema: plain SQL files, forward only, each in its own transaction. A lock makes a second process wait.
 *
 * @returns the names of the migrations that ran
 * @throws BadConfig if one fails, which leaves the database as it was before that one, or was changed after it ran
 */
export async function migrate(database: Database, migrations = readMigrations()): Promise<string[]> {
  if (!(await hasBegun(database.db))) await refuseOtherEncoding(database.db);
  await database.runScript(
    `select pg_advisory_xact_lock(${LOCK});
create table if not exists public.migration (number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const applied = await listApplied(database.db);
  const ran: string[] = [];
  for (const migration of migrations)
    if (!isIn(applied, migration) && (await runOne(database, migration))) ran.push(migration.name);
  // PGlite reads the array types when it opens; this adds those of new enumerations.
  if (ran.length > 0) await database.pglite?.refreshArrayTypes();
  return ran;
}

/** A cluster made under the locale C has SQL_ASCII, which counts bytes and takes any. @throws BadConfig: not UTF8 */
async function refuseOtherEncoding(db: Db): Promise<void> {
  const encoding = await getValue(db)<string>`select current_setting('server_encoding') as encoding`;
  if (encoding !== 'UTF8')
    throw new BadConfig(
      `The encoding of the database is ${encoding}, not UTF8. Make it by: create database tradewind encoding 'UTF8' locale 'C.UTF-8' template template0`,
    );
}

/** Whether the role of these connections can change the schema. */
export const mayMigrate = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`
    select has_database_privilege(current_database(), 'create') as may`;

/** The table of migrations, and whether the role can read it: any role can look. Undefined before the first one. */
const findTable = (db: Db) =>
  findRow(db)<{ readonly readable: boolean; readonly role: string; readonly granted: boolean }>`
    select has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable,
      current_user::text as role, exists (
        select from pg_roles r where r.rolname = 'tradewind_app' and has_table_privilege(r.oid, c.oid, 'select')) as granted
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relname = 'migration'`;

/** Whether any migration ever ran. Any role can check. */
export const hasBegun = async (db: Db): Promise<boolean> => (await findTable(db)) !== undefined;

/**
 * The first migration that the database lacks.
 *
 * @throws BadConfig if the role cannot read which ran: it is not the server's, or nobody has granted it its rights
 */
export async function findMissingMigration(db: Db, migrations = readMigrations()): Promise<string | undefined> {
  const table = await findTable(db);
  if (table === undefined) return migrations[0]?.name;
  if (!table.readable)
    throw new BadConfig(
      table.granted
        ? `DATABASE_URL: the role ${table.role} has too few rights. Use the server’s role, tradewind_app.`
        : `DATABASE_URL: the role ${table.role} has no rights yet. Run npm run migrate, which grants them to the roles of deploy/roles.sql.`,
    );
  const applied = await listApplied(db);
  return migrations.find((migration) => !isIn(applied, migration))?.name;
}

async function runOne(database: Database, migration: Migration): Promise<boolean> {
  // A script is one implicit transaction on both engines. The lock is inside it: a second process waits, fails on the
  // primary key, and checks again.
  const script = `select pg_advisory_xact_lock(${LOCK});
set local lock_timeout = '${LOCK_SECONDS}s';
insert into public.migration (number, name, checksum) values (${migration.number}, '${migration.name}', '${migration.checksum}');
${migration.text}`;
  try {
    await database.runScript(script);
    return true;
  } catch (error) {
    if (isIn(await listApplied(database.db), migration)) return false;
    if (isDatabaseGone(error)) throw error;
    const { code, message } = error as { code?: unknown; message: string };
    if (code === REFUSED) throw new BadConfig(`Upgrade refused: ${message}`);
    const outcome = 'Nothing of it was kept. Run npm run migrate again once the cause is gone.';
    throw new BadConfig(`Migration ${migration.name} failed: ${message}. ${outcome}`, { cause: error });
  }
}

/**
 * All checksums by number, in one query.
 *
 * @throws BadConfig if a later version migrated the database: this one does not know its rules
 */
async function listApplied(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await listRows(db)<Omit<Migration, 'text'>>`
    select number, name, checksum from public.migration order by number`;
  const last = rows.at(-1);
  if (last !== undefined && last.number > KNOWN)
    throw new BadConfig(`The database is of a later version: it has ${last.name}. Start that version.`);
  return new Map(rows.map(({ number, checksum }) => [number, checksum]));
}

function isIn(applied: ReadonlyMap<number, string>, { number, name, checksum }: Migration): boolean {
  const found = applied.get(number);
  if (found !== undefined && found !== checksum)
    throw new BadConfig(`Migration ${name} was changed after it ran. Add a new one instead.`);
  return found !== undefined;
}
