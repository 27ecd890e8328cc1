import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';

/** What an attacker with the server’s PostgreSQL password, and nothing else, can do to existing data. */
const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });
const app = closeAfterAll(connectPostgres(urls.app, { max: 1 }));
const reader = closeAfterAll(connectPostgres(urls.reader, { max: 1 }));
const superuser = closeAfterAll(connectPostgres(urls.superuser, { max: 1 }));

const DENIED = '42501';
const READ_ONLY = '25006';

/** The SQLSTATE of its refusal. */
const codeOf = async (database: typeof app, statement: string): Promise<string> => {
  try {
    await inTransaction(database.db, (tx) => sql.raw(statement).execute(tx));
    return 'done';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
};

/** Tables that a trigger protects from updates or deletes, with the first column of each. */
const kept = await listRows(superuser.db)<{ name: string; column: string; trigger: string; isAppendOnly: boolean }>`
  select c.oid::regclass::text as name, a.attname::text as column, t.tgname::text as trigger,
    t.tgtype & 16 = 16 as "isAppendOnly"
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
  where not t.tgisinternal and t.tgtype & 3 = 2 and t.tgtype & 40 = 40 order by 1`;

test('there are such tables of every kind', () => {
  const names = kept.map(({ name }) => name);
  for (const name of [
    'ledger.transfer',
    'ledger.seal',
    'audit.entry',
    'audit.seal',
    'solvency.snapshot',
    'trading.fee_plan',
  ])
    expect(names).toContain(name);
});

test.each(kept)(
  '$name cannot be changed, emptied, unguarded or dropped',
  async ({ name, column, trigger, isAppendOnly }) => {
    const statements = [
      ...(isAppendOnly ? [`update ${name} set ${column} = default`, `select 1 from ${name} for update`] : []),
      `delete from ${name}`,
      `truncate ${name} cascade`,
      `alter table ${name} disable trigger all`,
      `alter table ${name} disable trigger ${trigger}`,
      `drop trigger ${trigger} on ${name}`,
      `create trigger own before insert on ${name} execute function ledger.refuse_change()`,
      `create rule own as on insert to ${name} do instead nothing`,
      `alter table ${name} add column own int`,
      `alter table ${name} owner to tradewind_app`,
      `grant all on ${name} to tradewind_app`,
      `lock table ${name} in access exclusive mode`,
      `drop table ${name} cascade`,
    ];
    const codes: Record<string, string> = {};
    for (const statement of statements) codes[statement] = await codeOf(app, statement);
    // Granting without the privilege is a warning, and grants nothing.
    delete codes[`grant all on ${name} to tradewind_app`];
    // A role that may change some rows may lock all; the rows stay.
    if (!isAppendOnly) delete codes[`lock table ${name} in access exclusive mode`];
    expect(new Set(Object.values(codes)), JSON.stringify(codes)).toEqual(new Set([DENIED]));
    expect(
      await listValues(superuser.db)<boolean>`
      select has_table_privilege('tradewind_app', ${name}, 'delete, truncate, trigger')`,
    ).toEqual([false]);
  },
);

test.each([
  'set session_replication_role = replica',
  'set role tradewind_owner',
  'set role tradewind_migrator',
  'set session authorization tradewind',
  "copy (select 1) to program 'true'",
  "copy (select 1) to '/tmp/tradewind'",
  "copy http.room from '/etc/passwd'",
  "copy http.room from program 'id'",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  'select pg_reload_conf()',
  'create schema own',
  'create table public.own (id int)',
  'create table ledger.own (id int)',
  'create temporary table own (id int)',
  "create function public.own() returns int language sql as 'select 1'",
  "create function pg_temp.own() returns int language sql as 'select 1'",
  "create or replace function ledger.refuse_change() returns trigger language plpgsql as 'begin return null; end'",
  'alter function ledger.refuse_change() owner to tradewind_app',
  'drop function ledger.refuse_change() cascade',
  'call ledger.compile_flow()',
  'insert into ledger.flow default values',
  'alter domain ledger.member_balance drop constraint member_account_never_negative',
  'create extension file_fdw',
  'create event trigger own on ddl_command_start execute function ledger.refuse_change()',
  'create server own foreign data wrapper own',
  'create publication own for all tables',
  'create role own superuser',
  'alter role tradewind_app superuser',
  'grant tradewind_owner to tradewind_app',
  'grant pg_execute_server_program to tradewind_app',
  'alter database tradewind owner to tradewind_app',
  'drop schema ledger cascade',
  "update pg_catalog.pg_trigger set tgenabled = 'D'",
  'delete from pg_catalog.pg_trigger',
  "update public.migration set checksum = ''",
  "insert into public.migration values (9999, 'mine', '')",
  'truncate solvency.node',
  'truncate income.level_sum',
  'update solvency.node set sum = 0',
  'update identity.server_key set value = default',
])('the server’s role cannot %s', async (statement) => {
  expect(await codeOf(app, statement)).toMatch(/^(42501|42704)$/);
  const untouched = await listValues(superuser.db)<number>`
    select count(*)::int from pg_trigger where not tgisinternal and tgenabled not in ('O', 'A')`;
  expect(untouched).toEqual([0]);
});

test('the owner’s functions for the server empty no proof that is kept', async () => {
  await superuser.runScript(`
    insert into solvency.snapshot (version, key_version, no, kind, market_day, taken_at, leaves, root_sum, root_hash, liabilities, ledger_seal_no,
      ledger_seal_hash, previous_hash, hash)
    values (2, 1, 1, 'daily', '2026-03-04', now(), 1, 0, sha256('a'), 0, 0, sha256('a'), sha256('a'), sha256('a'))`);
  for (const no of [1, 0, -1, 9, 10]) expect(await codeOf(app, `select solvency.empty_slot(${no})`)).toBe('P0001');
  expect(await codeOf(app, 'select solvency.empty_slot(2)')).toBe('done');
});

test('a session’s temporary table replaces no other in the owner’s functions', async () => {
  expect(await codeOf(app, 'create temporary table snapshot (no bigint)')).toBe(DENIED);
  const rename = inTransaction(app.db, async (tx) => {
    await sql`select income.create_level_sum_again()`.execute(tx);
    await sql`alter table pg_temp.level_sum_again rename to snapshot`.execute(tx);
  });
  await expect(rename).rejects.toMatchObject({ code: DENIED });
});

test('the metrics role reads what they show and no more: no secrets, no people, no writing', async () => {
  for (const table of [
    'identity.member',
    'identity.server_key',
    'notify.mail',
    'ledger.transfer',
    'funds.payout_address',
  ])
    expect([table, await codeOf(reader, `select * from ${table}`)]).toEqual([table, DENIED]);
  for (const statement of [
    'delete from ledger.transfer',
    'update http.readiness set written_at = now()',
    'create table public.own ()',
  ])
    expect([DENIED, READ_ONLY]).toContain(await codeOf(reader, statement));
  await sql`set default_transaction_read_only = off`.execute(reader.db);
  expect(await codeOf(reader, 'update http.readiness set written_at = now()')).toBe(DENIED);
});
