import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateAs } from '#server/migrate-database.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';
import { connectPostgres } from './connect.ts';
import { listRows, listValues } from './rows.ts';

const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });
const database = closeAfterAll(connectPostgres(urls.superuser, { max: 2 }));
const { db } = database;

const rule = readFileSync(join(import.meta.dirname, 'grants.sql'), 'utf8');
const listOf = (name: string): string[] =>
  (new RegExp(`\\b${name} text\\[\\] := '\\{([^}]*)\\}'`).exec(rule)?.[1] ?? '').split(',').map((one) => one.trim());
const lists = {
  given: listOf('given'),
  changed: listOf('changed'),
  locked: listOf('locked'),
  deleted: listOf('deleted'),
};

const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] as const;
type Table = { name: string; schema: string; isPart: boolean; granted: string[] };

/** Every table, with the table-level privileges of a role. */
const listTables = (role: string): Promise<Table[]> =>
  listRows(db)<Table>`
    select n.nspname || '.' || c.relname as name, n.nspname::text as schema, c.relispartition as "isPart",
      array(select one from unnest(${PRIVILEGES as readonly string[]}::text[]) with ordinality as p (one, place)
        where has_table_privilege(${role}, c.oid, one) order by place) as granted
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`;

const expectedOf = ({ name, schema, isPart }: Table): string[] => {
  if (schema === 'pgboss') return ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
  if (isPart) return [];
  return [
    'SELECT',
    ...(lists.given.includes(name) ? [] : ['INSERT']),
    ...(lists.changed.includes(name) || lists.locked.includes(name) ? ['UPDATE'] : []),
    ...(lists.deleted.includes(name) ? ['DELETE'] : []),
  ];
};

test('the server has exactly the privileges of the rule on every table', async () => {
  const tables = await listTables('tradewind_app');
  expect(tables.length).toBeGreaterThan(100);
  expect(new Set(tables.map(({ schema }) => schema))).toContain('pgboss');
  const others = tables.filter((table) => String(table.granted) !== String(expectedOf(table)));
  expect(others).toEqual([]);
});

test('append-only tables are read and inserted into', async () => {
  const appendOnly = await listValues(db)<string>`
    select distinct n.nspname || '.' || c.relname
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and t.tgtype & 1 = 0 and t.tgtype & 24 = 24 and t.tgtype & 2 = 2 and t.tgname <> 'clock_never_back'`;
  expect(appendOnly).toEqual(expect.arrayContaining(['ledger.transfer', 'ledger.seal', 'audit.entry', 'audit.seal']));
  const tables = await listTables('tradewind_app');
  const granted = appendOnly.map((name) => tables.find((table) => table.name === name)?.granted.join(' '));
  expect(granted.filter((one) => one !== 'SELECT INSERT' && one !== 'SELECT')).toEqual([]);
});

/** What the program’s statements do to each table, including functions that run as their caller. */
async function readStatements() {
  const files = globSync('server/**/*.ts', { cwd: join(import.meta.dirname, '../..') });
  const sources = files
    .filter((path) => !/\.test\.|test-setup|db\/migrate\.ts$/.test(path))
    .map((path) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
  const bodies = await listValues(db)<string>`
    select p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where not p.prosecdef and p.prokind = 'f' and n.nspname !~ '^pg' and n.nspname <> 'information_schema'`;
  const tables = new Set((await listTables('tradewind_app')).map(({ name }) => name));
  const find = (...patterns: readonly RegExp[]) =>
    [
      ...new Set(
        [...sources, ...bodies].flatMap((text) =>
          patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
        ),
      ),
    ]
      .filter((name) => tables.has(name))
      .toSorted();
  return {
    changed: find(
      /\bupdate\s+(?:only\s+)?([a-z_]+\.[a-z_0-9]+)/g,
      /\binsert\s+into\s+([a-z_]+\.[a-z_0-9]+)(?:(?!insert\s+into)[^;])*?do\s+update/g,
    ),
    deleted: find(/\bdelete\s+from\s+(?:only\s+)?([a-z_]+\.[a-z_0-9]+)/g),
    inserted: find(/\binsert\s+into\s+([a-z_]+\.[a-z_0-9]+)/g),
    locked: find(/\block\s+table\s+([a-z_]+\.[a-z_0-9]+)/g),
    tables: [...tables],
  };
}

/** Their names, or what follows them, are interpolated into a statement. */
const insertedByVariable = ['income.level_sum', 'income.weekly_line', 'income.monthly_line'];
const replacedByVariable = ['market.candle'];

test('the lists of the rule match the statements in the code', async () => {
  const { changed, deleted, inserted, locked, tables } = await readStatements();
  expect(lists.changed).toEqual([...changed, ...replacedByVariable].toSorted());
  expect(lists.deleted).toEqual(deleted);
  const mayLock = [...changed, ...deleted];
  expect(lists.locked).toEqual(locked.filter((name) => !mayLock.includes(name)));
  const written = [...inserted, ...insertedByVariable];
  const mayNot = tables.filter((name) => !/^(pgboss\.|solvency\.node_)/.test(name) && !written.includes(name));
  expect(lists.given).toEqual(mayNot.toSorted());
});

test('a new table gets its privileges with the next migration run', async () => {
  const migrator = closeAfterAll(connectPostgres(urls.migrator, { max: 1 }));
  await migrator.runScript('create table market.brand_new (id int)');
  expect((await listTables('tradewind_app')).find(({ name }) => name === 'market.brand_new')?.granted).toEqual([]);
  await migrateAs(urls.migrator);
  expect((await listTables('tradewind_app')).find(({ name }) => name === 'market.brand_new')?.granted).toEqual([
    'SELECT',
    'INSERT',
  ]);
  const [owner] = await listValues(db)<string>`
    select relowner::regrole::text from pg_class where oid = 'market.brand_new'::regclass`;
  expect(owner).toBe('tradewind_owner');
  await migrator.runScript('drop table market.brand_new');
});

test('privileges granted by hand are revoked by the next migration run', async () => {
  await database.runScript(`
    grant update, truncate on ledger.transfer to tradewind_app;
    grant usage on schema ledger to public;
    grant select on ledger.transfer to public, tradewind_reader`);
  await migrateAs(urls.migrator);
  const find = async (role: string) =>
    (await listTables(role)).find(({ name }) => name === 'ledger.transfer')?.granted.join(' ');
  expect(await find('tradewind_app')).toBe('SELECT INSERT');
  expect(await find('tradewind_reader')).toBe('');
});

test('a user without these roles can do nothing at all', async () => {
  await database.runScript('create role stranger login');
  expect((await listTables('stranger')).filter(({ granted }) => granted.length > 0)).toEqual([]);
  const rights = await listValues(db)<string>`
    select 'schema ' || nspname from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and has_schema_privilege('stranger', oid, 'usage, create')
    union all
    select 'function ' || p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and has_function_privilege('stranger', p.oid, 'execute')
    union all
    select 'database' where has_database_privilege('stranger', current_database(), 'connect, create, temporary')`;
  expect(rights).toEqual([]);
});

test('functions that run as the owner have a fixed search_path, and only the server may execute them', async () => {
  const functions = await listRows(db)<{ name: string; settings: string[]; app: boolean; reader: boolean }>`
    select p.oid::regprocedure::text as name, p.proconfig as settings,
      has_function_privilege('tradewind_app', p.oid, 'execute') as app,
      has_function_privilege('tradewind_reader', p.oid, 'execute') as reader
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname !~ '^pg_'`;
  expect(functions.length).toBeGreaterThan(5);
  for (const one of functions)
    expect(one).toMatchObject({ settings: ['search_path=pg_catalog, pg_temp'], app: true, reader: false });
});

test('the server and the metrics own nothing, and the owner cannot log in', async () => {
  const owned = await listValues(db)<string>`
    select refobjid::regrole::text from pg_shdepend where deptype = 'o' and refclassid = 'pg_authid'::regclass`;
  expect(new Set(owned)).toEqual(new Set(['tradewind_owner']));
  const roles = await sql`
    select rolname::text as name, rolcanlogin as "canLogin" from pg_roles where rolname ~ '^tradewind_' order by 1`.execute(
    db,
  );
  expect(roles.rows).toEqual([
    { name: 'tradewind_app', canLogin: true },
    { name: 'tradewind_migrator', canLogin: true },
    { name: 'tradewind_owner', canLogin: false },
    { name: 'tradewind_reader', canLogin: true },
  ]);
});
