import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { createRoleDatabase, makeRoles } from '#test/database/postgres-roles.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';
import { runScript } from '#test/kit/run-script.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { startServer } from '#test/kit/server-process.ts';
import { boot } from './boot.ts';
import { BadConfig, readConfig } from './config.ts';
import { connectPostgres } from './db/connect.ts';
import { migrate, readMigrations } from './db/migrate.ts';
import { listRows, listValues } from './db/rows.ts';
import { refuseDatabaseSettings } from './refuse-database-settings.ts';
import { refusePrivilegedRole } from './refuse-privileged-role.ts';
import { openLog } from './telemetry/open-log.ts';

const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });

const bootAs = async (url: string, env: Record<string, string> = {}): Promise<string> => {
  const { database } = await boot(
    readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', JOBS: 'off', SMTP_URL: 'smtp://127.0.0.1:1', ...env }),
  );
  await database.close();
  return 'serves';
};

const emptyDatabase = async (name: string, options = ''): Promise<string> => {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name} ${options}`);
  await admin.close();
  return cluster.url(name);
};

test('staging runs as the server’s role', async () => {
  expect(await bootAs(urls.app, { MODE: 'staging' })).toBe('serves');
});

test.each([
  ['superuser', 'the role tradewind is a superuser'],
  ['migrator', 'the role tradewind_migrator owns the database, or is a member of its owner'],
] as const)('staging does not serve as %s, and says so before it writes anything', async (role, why) => {
  const error = await startServer({ MODE: 'staging', SMTP_URL: 'smtp://127.0.0.1:1', DATABASE_URL: urls[role] }).then(
    async (server) => {
      await server.kill();
      throw new Error('It started.');
    },
    (reason: Error) => reason,
  );
  expect(error.message).toBe(
    `The server did not become ready:\nDATABASE_URL: ${why}, which MODE=staging does not serve as. Use the roles of deploy/roles.sql.\n`,
  );
  expect(error.cause).toMatchObject({ message: 'exit 1' });
});

const strangerAt = (url: string) => url.replace('tradewind_app@', 'nobody@');
test.each<[string, Record<string, string>]>([
  ['DATABASE_URL: role "nobody" does not exist', { DATABASE_URL: strangerAt(urls.app) }],
  ['DATABASE_URL: database "nowhere" does not exist', { DATABASE_URL: cluster.url('nowhere') }],
  ['DATABASE_READER_URL: role "nobody" does not exist', { DATABASE_READER_URL: strangerAt(urls.app) }],
  ['DATABASE_MIGRATE_URL: role "nobody" does not exist', { DATABASE_MIGRATE_URL: strangerAt(urls.app) }],
])('a login that PostgreSQL refuses is reported in one line: %s', async (line, env) => {
  await expect(bootAs(urls.app, env)).rejects.toThrow(new BadConfig(line));
});

test('a command reports it, too', async () => {
  expect(await runScript('ledger-verify.ts', [], { DATABASE_URL: cluster.url('nowhere') })).toMatchObject({
    code: 1,
    stderr: 'DATABASE_URL: database "nowhere" does not exist\n',
  });
});

test.each(['DATABASE_LISTEN_URL', 'DATABASE_READER_URL'])('%s has the same restrictions', async (setting) => {
  await expect(bootAs(urls.app, { MODE: 'staging', [setting]: urls.superuser })).rejects.toThrow(
    `${setting}: the role tradewind is a superuser, which MODE=staging does not serve as.`,
  );
});

test.each([
  ['grant tradewind_owner to climber', 'owns the database, or is a member of its owner'],
  ['grant pg_execute_server_program to climber', 'is a member of a role of the whole server'],
  ['alter role climber createrole', 'can create roles'],
  ['alter role climber bypassrls', 'can read past every rule'],
  ['grant truncate on ledger.transfer to climber', 'may truncate tables or create triggers'],
  ['grant create on database tradewind to climber', 'may create schemas'],
  ['create table public.own (); alter table public.own owner to climber', 'owns tables, or is a member of their owner'],
])('after %s staging refuses to start', async (given, why) => {
  const admin = connectPostgres(urls.superuser, { max: 1 });
  await admin.runScript(`create role climber login in role tradewind_app; ${given}`);
  const url = urls.app.replace('tradewind_app', 'climber');
  await expect(bootAs(url, { MODE: 'staging' })).rejects.toThrow(new RegExp(`^DATABASE_URL: the role climber ${why},`));
  await admin.runScript('drop table if exists public.own; drop owned by climber; drop role climber');
  await admin.close();
});

test.each([
  ['default_transaction_isolation', 'repeatable read', 'read committed'],
  ['bytea_output', 'escape', 'hex'],
  ['DateStyle', 'German, DMY', 'ISO, MDY'],
])('no mode starts where %s is %s, because answers would be wrong', async (name, setting, wanted) => {
  const admin = connectPostgres(urls.superuser, { max: 1 });
  await admin.runScript(`alter role tradewind_app set ${name} = ${name === 'DateStyle' ? setting : `'${setting}'`}`);
  onTestFinished(async () => {
    await admin.runScript(`alter role tradewind_app reset ${name}`);
    await admin.close();
  });
  const line = `DATABASE_URL: PostgreSQL is set to ${name} = ${setting}, and must be set to ${wanted}`;
  await expect(bootAs(urls.app)).rejects.toThrow(new BadConfig(line));
});

test('live refuses a database that can lose what was committed; other modes warn', async () => {
  const lines: string[] = [];
  const config = readConfig({});
  const log = openLog(config, { write: (line) => void lines.push(line) });
  const app = closeAfterAll(connectPostgres(urls.app, { max: 1 }));
  await refuseDatabaseSettings({ config, log }, app);
  const line = 'PostgreSQL is set to fsync = off, and must be set to on';
  expect(lines[0]).toContain(`a crash of the machine can lose what this server answered: ${line}`);
  const live = { config: { ...config, mode: 'live' as const }, log };
  await expect(refuseDatabaseSettings(live, app)).rejects.toThrow(new BadConfig(`DATABASE_URL: ${line}`));
});

test('staging refuses to start on the embedded database', async () => {
  await expect(boot(readConfig({ MODE: 'staging', SMTP_URL: 'smtp://127.0.0.1:1' }))).rejects.toThrow(
    'DATABASE_URL: required with MODE=staging',
  );
});

test('paper runs as any role, and warns once if the database trusts it', async () => {
  const lines: string[] = [];
  const config = readConfig({});
  const log = openLog(config, { write: (line) => void lines.push(line) });
  const admin = closeAfterAll(connectPostgres(urls.superuser, { max: 1 }));
  await refusePrivilegedRole({ config, log }, admin);
  expect(lines).toEqual([
    expect.stringContaining('the database trusts this server: the role tradewind is a superuser. Use the roles of'),
  ]);
  const app = closeAfterAll(connectPostgres(urls.app, { max: 1 }));
  await refusePrivilegedRole({ config, log }, app);
  expect(lines).toHaveLength(1);
});

test('a role that nobody has granted its rights is told which command does, not that the schema is old', async () => {
  const url = await emptyDatabase('ungranted');
  const owner = connectPostgres(url, { max: 1 });
  await migrate(owner);
  await owner.close();
  const { app } = makeRoles(url);
  const line =
    'DATABASE_URL: the role tradewind_app has no rights yet. Run npm run migrate, which grants them to the roles of deploy/roles.sql.';
  await expect(bootAs(app)).rejects.toThrow(new BadConfig(line));
  expect(await runScript('ledger-verify.ts', [], { DATABASE_URL: app })).toMatchObject({
    code: 1,
    stderr: `${line}\n`,
  });
});

test.each(['DATABASE_LISTEN_URL', 'DATABASE_READER_URL', 'DATABASE_MIGRATE_URL'])(
  '%s leads past a dead server that is listed first',
  async (setting) => {
    const url = (setting === 'DATABASE_MIGRATE_URL' ? urls.migrator : urls.app).replace('@', '@127.0.0.1:1,');
    expect(await bootAs(urls.app, { [setting]: url })).toBe('serves');
  },
);

test('a role that reads less than the server’s is told which role to use', async () => {
  for (const script of ['ledger-verify.ts', 'seal-rotate.ts'])
    expect(await runScript(script, [], { DATABASE_URL: urls.reader })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'DATABASE_URL: the role tradewind_reader has too few rights. Use the server’s role, tradewind_app.\n',
    });
});

test('concurrently started processes migrate the schema through the migrator’s address', async () => {
  const fresh = makeRoles(await emptyDatabase('fresh'));
  const begin = () => bootAs(fresh.app, { DATABASE_MIGRATE_URL: fresh.migrator });
  expect(await Promise.all([begin(), begin()])).toEqual(['serves', 'serves']);
});

test('a migration waits ten seconds for a table, in which calls wait behind it', async () => {
  const busy = connectPostgres(await emptyDatabase('busy'), { max: 2 });
  closeAfterAll(busy);
  await migrate(busy);
  const text = 'alter table identity.member add column later int';
  const later = [...readMigrations(), { number: 9999, name: '9999-later.sql', text, checksum: '' }];
  await busy.db.transaction().execute(async (tx) => {
    await listRows(tx)`select id from identity.member`;
    await expect(migrate(busy, later)).rejects.toThrow(
      /^Migration 9999-later\.sql failed: canceling statement due to lock timeout\. Nothing of it was kept\./,
    );
  });
  expect(await migrate(busy, later)).toEqual(['9999-later.sql']);
});

test('server and commands report a schema that is older and may not be changed, or newer, and do nothing', async () => {
  const old = makeRoles(await emptyDatabase('old'));
  const missing = (name: string) =>
    new BadConfig(
      `DATABASE_MIGRATE_URL: the database has no ${name} yet, and the role in DATABASE_URL cannot change it. Run npm run migrate.`,
    );
  await expect(bootAs(old.app)).rejects.toThrow(missing('0001-ledger.sql'));
  const migrator = connectPostgres(old.migrator, { max: 1 });
  const migrations = readMigrations();
  await migrate(migrator, migrations.slice(0, -1));
  await migrator.runScript(
    'grant usage on schema public to tradewind_app; grant select on public.migration to tradewind_app',
  );
  const last = migrations.at(-1)?.name ?? '';
  await expect(bootAs(old.app)).rejects.toThrow(missing(last));
  expect(await runScript('ledger-verify.ts', [], { DATABASE_URL: old.migrator })).toEqual({
    code: 1,
    stdout: '',
    stderr: `The database has no ${last} yet. Start the server once, or run npm run migrate.\n`,
  });
  await migrator.runScript(`insert into public.migration (number, name, checksum) values (9999, '9999-later.sql', '')`);
  await migrator.close();
  const later = 'The database is of a later version: it has 9999-later.sql. Start that version.';
  await expect(bootAs(old.app)).rejects.toThrow(new BadConfig(later));
  await expect(bootAs(old.app, { DATABASE_MIGRATE_URL: old.migrator })).rejects.toThrow(new BadConfig(later));
});

test('npm run migrate creates schema and queues for a server that cannot', async () => {
  const { app, migrator } = makeRoles(await emptyDatabase('walked'));
  expect(await runScript('migrate.ts', [], {})).toMatchObject({ code: 1, stderr: 'DATABASE_MIGRATE_URL: required\n' });
  expect(await runScript('migrate.ts', [], { DATABASE_URL: app })).toMatchObject({
    code: 1,
    stderr: 'DATABASE_URL: its role cannot change the schema. Use tradewind_migrator of deploy/roles.sql.\n',
  });
  const first = await runScript('migrate.ts', [], { DATABASE_MIGRATE_URL: migrator });
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^0001-ledger\.sql\n[\s\S]*\d+ migrations ran\.\n$/);
  expect(await runScript('migrate.ts', [], { DATABASE_MIGRATE_URL: migrator })).toMatchObject({
    stdout: 'The schema is up to date.\n',
  });
  expect(await bootAs(app, { MODE: 'staging' })).toBe('serves');
});

test('a database that counts bytes in place of characters is refused before anything is written', async () => {
  const bytes = await emptyDatabase('bytes', "encoding 'SQL_ASCII' locale 'C' template template0");
  const { migrator } = makeRoles(bytes);
  expect(await runScript('migrate.ts', [], { DATABASE_MIGRATE_URL: migrator })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      "The encoding of the database is SQL_ASCII, not UTF8. Make it by: create database tradewind encoding 'UTF8' locale 'C.UTF-8' template template0\n",
  });
});

test('the migrator’s address requires the server’s', async () => {
  const config = readConfig({ DATABASE_MIGRATE_URL: urls.migrator });
  await expect(boot(config)).rejects.toThrow('DATABASE_MIGRATE_URL: requires DATABASE_URL');
});

test('a database that a superuser migrated before is transferred to the owner, and its rows stay', async () => {
  const url = await emptyDatabase('grown');
  expect(await bootAs(url)).toBe('serves');
  const grown = makeRoles(url);
  makeRoles(url);
  expect(await bootAs(grown.app, { MODE: 'staging', DATABASE_MIGRATE_URL: grown.migrator })).toBe('serves');
  const admin = closeAfterAll(connectPostgres(url, { max: 1 }));
  const others = await listValues(admin.db)<string>`
    select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relowner <> 'tradewind_owner'::regrole
    union all
    select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and p.proowner <> 'tradewind_owner'::regrole
    union all
    select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and t.typowner <> 'tradewind_owner'::regrole
    union all
    select nspname::text from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and nspowner <> 'tradewind_owner'::regrole`;
  expect(others).toEqual([]);
  expect(await listRows(admin.db)`select count(*)::int as count from identity.member`).toEqual([{ count: 1 }]);
});

test('passwords are stored as SCRAM verifiers, and an omitted one stays', async () => {
  await createRoleDatabase(cluster, 'secret');
  const url = cluster.url('secret');
  const verifier = async () => {
    const admin = connectPostgres(url, { max: 1 });
    const [found] = await listValues(admin.db)<string>`
      select rolpassword from pg_authid where rolname = 'tradewind_app'`;
    await admin.close();
    return found;
  };
  makeRoles(url, { APP_PASSWORD: "it's a password" });
  const first = await verifier();
  expect(first).toMatch(/^SCRAM-SHA-256\$/);
  makeRoles(url);
  expect(await verifier()).toBe(first);
});

test('a server on the embedded database without jobs says that nobody does them, one with PostgreSQL does not', async () => {
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const started = async (env: Record<string, string>) => {
    const server = await startServer({ JOBS: 'off', ...env });
    await server.stop();
    return server.output();
  };
  expect(await started({ DATA_DIR: folder })).toContain('JOBS=off: no session opens and nothing settles');
  expect(await started({ DATABASE_URL: urls.app })).not.toContain('JOBS=off');
});
