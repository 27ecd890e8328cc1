import { BadConfig, type Config } from './config.ts';
import type { Context } from './context.ts';
import { connectWriter, type Database, type Db } from './db/connect.ts';
import { getRow } from './db/rows.ts';

const ADVICE = 'Use the roles of deploy/roles.sql.';

/** Before anything is opened. @throws BadConfig: the embedded database has one role, which may do everything */
export function refuseEmbedded({ mode, databaseUrl, databaseMigrateUrl }: Config): void {
  if (databaseUrl !== undefined) return;
  if (mode !== 'paper') throw new BadConfig(`DATABASE_URL: required with MODE=${mode}`);
  if (databaseMigrateUrl !== undefined) throw new BadConfig('DATABASE_MIGRATE_URL: requires DATABASE_URL');
}

/**
 * Append-only tables and seals only protect against roles that cannot disable them. So in staging and live mode a
 * server refuses to run with a role that can (docs/operations.md, "Roles"); in paper mode it logs a warning once.
 *
 * @throws BadConfig in one line
 */
export async function refusePrivilegedRole(
  { config, log }: Pick<Context, 'config' | 'log'>,
  database: Database,
): Promise<void> {
  if (database.engine === 'pglite') return;
  const { databaseListenUrl, databaseReaderUrl } = config;
  const found = [
    { setting: 'DATABASE_URL', ...(await nameSetting('DATABASE_URL', () => readRole(database.db))) },
    ...(await readRoleAt('DATABASE_LISTEN_URL', databaseListenUrl)),
    ...(await readRoleAt('DATABASE_READER_URL', databaseReaderUrl)),
  ].find(({ power }) => power !== null);
  if (found === undefined) return;
  const line = `the role ${found.role} ${found.power}`;
  if (config.mode !== 'paper')
    throw new BadConfig(`${found.setting}: ${line}, which MODE=${config.mode} does not serve as. ${ADVICE}`);
  log.info(`the database trusts this server: ${line}. ${ADVICE}`);
}

async function readRoleAt(setting: string, url: string | undefined) {
  if (url === undefined) return [];
  const database = await connectWriter(url, { max: 1 });
  try {
    return [{ setting, ...(await nameSetting(setting, () => readRole(database.db))) }];
  } finally {
    await database.close();
  }
}

/**
 * Runs the first work that connects to the URL of a setting, and names the setting in errors.
 *
 * @throws BadConfig if PostgreSQL rejects the role or has no such database, or PgBouncer takes none of our parameters
 */
export async function nameSetting<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (message.includes('client password must be')) throw new BadConfig(`${setting}: PostgreSQL asks for a password`);
    if (message.startsWith('unsupported startup parameter'))
      throw new BadConfig(
        `${setting}: PgBouncer refuses it (${message}). docs/operations.md, "Processes", has the settings it needs.`,
      );
    throw /^(28|3D)/.test(code) ? new BadConfig(`${setting}: ${message}`) : error;
  }
}

/** Reads the session role: after a `set role` it can switch back. */
const readRole = (db: Db): Promise<{ role: string; power: string | null }> =>
  getRow(db)`
    select session_user::text as role, case
      when rolsuper then 'is a superuser'
      when rolcreaterole then 'can create roles'
      when rolreplication or rolbypassrls then 'can read past every rule'
      when exists (
        select from pg_roles r where r.rolname ~ '^pg_(execute_server_program|(read|write)_(server_files|all_data))$' and pg_has_role(session_user, r.oid, 'member'))
        then 'is a member of a role of the whole server'
      when exists (
        select from pg_database d where d.datname = current_database() and pg_has_role(session_user, d.datdba, 'member'))
        then 'owns the database, or is a member of its owner'
      when exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_has_role(session_user, c.relowner, 'member'))
        then 'owns tables, or is a member of their owner'
      when exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
          and has_table_privilege(session_user, c.oid, 'truncate, trigger'))
        then 'may truncate tables or create triggers'
      when has_database_privilege(session_user, current_database(), 'create')
        then 'may create schemas'
      end as power
    from pg_roles where rolname = session_user`;
