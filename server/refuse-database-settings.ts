import { BadConfig } from './config.ts';
import type { Context } from './context.ts';
import type { Database, Db } from './db/connect.ts';
import { listRows } from './db/rows.ts';

/**
 * Settings of PostgreSQL with which this program would be wrong: locks assume that each statement sees what was
 * committed before it, and values are read in PostgreSQL's own formats. In live mode also those with which a crash of the
 * machine loses what was answered; other modes log them.
 *
 * @throws BadConfig in one line
 */
export async function refuseDatabaseSettings(
  { config, log }: Pick<Context, 'config' | 'log'>,
  database: Database,
): Promise<void> {
  if (database.engine === 'pglite') return;
  for (const { name, setting, wanted, loses } of await listWrong(database.db)) {
    const line = `PostgreSQL is set to ${name} = ${setting}, and must be set to ${wanted}`;
    if (!loses || config.mode === 'live') throw new BadConfig(`DATABASE_URL: ${line}`);
    log.info(`a crash of the machine can lose what this server answered: ${line}`);
  }
}

const listWrong = (db: Db) =>
  listRows(db)<{ readonly name: string; readonly setting: string; readonly wanted: string; readonly loses: boolean }>`
    select s.name, s.setting, w.wanted, w.loses
    from pg_settings s join (values
      ('default_transaction_isolation', 'read committed', '^read committed$', false), ('bytea_output', 'hex', '^hex$', false),
      ('DateStyle', 'ISO, MDY', '^ISO', false), ('standard_conforming_strings', 'on', '^on$', false),
      ('fsync', 'on', '^on$', true), ('synchronous_commit', 'on', '^(?!off)', true)
    ) as w(name, wanted, pattern, loses) on w.name = s.name and s.setting !~ w.pattern
    order by w.loses, s.name`;
