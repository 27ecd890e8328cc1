import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { BadConfig } from '../config.ts';
import type { Database, Db } from './connect.ts';
import { isDatabaseGone } from './faults.ts';
import { getValue } from './rows.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = 7_301_001;
/** A migration raises this, with a message for operators, if the database is not ready for it. */
const REFUSED = 'TWV01';

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
 * Migrates the schema: plain SQL files, forward only, each in its own transaction. A lock makes a second process wait;
 * a file that was changed after it ran is refused.
 *
 * @returns the names of the migrations that ran
 * @throws BadConfig if the database is not ready for one of them
 */
export async function migrate(database: Database, migrations = readMigrations()): Promise<string[]> {
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

/** Whether the role of these connections can change the schema. */
export const mayMigrate = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`
    select has_database_privilege(current_database(), 'create') as may`;

/** Whether any migration ever ran. Any role can check. */
export const hasBegun = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`select to_regclass('public.migration') is not null as begun`;

/** The first migration that the database lacks, or the first of all if the role cannot read which ran. */
export async function findMissingMigration(db: Db, migrations = readMigrations()): Promise<string | undefined> {
  const { rows } = await sql<{ readable: boolean | null }>`
    select has_table_privilege(to_regclass('public.migration'), 'select') as readable`.execute(db);
  if (rows[0]?.readable !== true) return migrations[0]?.name;
  const applied = await listApplied(db);
  return migrations.find((migration) => !isIn(applied, migration))?.name;
}

async function runOne(database: Database, migration: Migration): Promise<boolean> {
  // A script is one implicit transaction on both engines. The lock is inside it: a second process waits, fails on the
  // primary key, and checks again.
  const script = `select pg_advisory_xact_lock(${LOCK});
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
    throw new Error(`Migration ${migration.name} failed`, { cause: error });
  }
}

/**
 * All checksums by number, in one query.
 *
 * @throws BadConfig if a later version migrated the database: this one does not know its rules
 */
async function listApplied(db: Db): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ number: number; name: string; checksum: string }>`
    select number, name, checksum from public.migration order by number`.execute(db);
  const last = rows.at(-1);
  if (last !== undefined && last.number > KNOWN)
    throw new BadConfig(`The database is of a later version: it has ${last.name}. Start that version.`);
  return new Map(rows.map(({ number, checksum }) => [number, checksum]));
}

function isIn(applied: ReadonlyMap<number, string>, { number, name, checksum }: Migration): boolean {
  const found = applied.get(number);
  if (found !== undefined && found !== checksum)
    throw new Error(`Migration ${name} was changed after it ran. Add a new one instead.`);
  return found !== undefined;
}
