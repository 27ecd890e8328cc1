import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ensureCompany } from '#server/accounts/index.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { listRows } from '#server/db/rows.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { startStandby } from '#test/database/postgres-standby.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { testContext } from '#test/worlds/builders.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';

const DATABASE = 'tradewind';
const SEQUENCE_LOGGED = 32;

/** A primary with the given part of the schema fails, and its standby, created before any schema, is promoted. */
async function failOver(
  migrations: ReturnType<typeof readMigrations>,
  act: (before: Database) => Promise<void>,
): Promise<Database> {
  // No checkpoint, so no restartpoint: what the standby has replayed is only in its memory and its log.
  const primary = await startCluster({ settings: ['checkpoint_timeout=1h', 'max_wal_size=4GB'] });
  onTestFinished(primary.stop);
  const admin = connectPostgres(primary.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${DATABASE} strategy wal_log`);
  await admin.close();
  const standby = await startStandby(primary);
  onTestFinished(standby.stop);
  const before = connectPostgres(primary.url(DATABASE), { max: 2 });
  await migrate(before, migrations);
  await act(before);
  await standby.catchUp();
  await before.close();
  await primary.kill();
  await standby.promote();
  const after = connectPostgres(standby.url(DATABASE), { max: 2 });
  onTestFinished(after.close);
  return after;
}

/** The server responds before its queues exist, and logs its address afterwards. */
const queuesMade = ({ output }: ServerProcess) => expect.poll(output).toContain('serves on');

test('of several hosts the writable one is used, at the start and after a failover, without a restart', async () => {
  const primary = await startCluster();
  onTestFinished(primary.stop);
  const standby = await startStandby(primary);
  onTestFinished(standby.stop);
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgresql://tradewind@${hosts}/postgres?target_session_attrs=read-write`;
  const server = await startServer({ DATABASE_URL: url, MARKET_SPEED: '3600' });
  onTestFinished(server.kill);
  const readiness = () => fetch(`${server.origin}/readyz`).then(({ status }) => status);
  const countRounds = async (cluster: Cluster) => {
    const database = connectPostgres(cluster.url('postgres'), { max: 1 });
    const rows = await listRows(database.db)<{ at: Date }>`
      select greatest((select max(succeeded_at) from jobs.health where kind = 'queue'), 'epoch') as at`;
    const listening = await sql`select from pg_stat_activity where query ilike 'listen%'`.execute(database.db);
    await database.close();
    return { at: rows[0]?.at.getTime() as number, listening: listening.rows.length };
  };
  await queuesMade(server);
  await expect.poll(() => countRounds(primary)).toMatchObject({ listening: 1 });

  await standby.catchUp();
  await primary.kill();
  await expect.poll(readiness).toBe(503);
  await standby.promote();
  await expect.poll(readiness).toBe(200);
  // Requests, queues and the listening connection have all moved to the other one.
  const before = (await countRounds(standby)).at;
  await expect
    .poll(async () => (await countRounds(standby)).at > before, { timeout: 170_000, interval: 500 })
    .toBe(true);
  expect((await countRounds(standby)).listening).toBe(1);
  await expectRecovery(server);
}, 300_000);

test('a server that starts while its database is unavailable comes up once the database does', async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  await cluster.kill();
  let refused = 0;
  const dying = createServer((socket) => {
    refused += 1;
    socket.destroy();
  }).listen(cluster.port, '127.0.0.1');
  const starting = startServer({ DATABASE_URL: cluster.url('postgres') });
  await expect.poll(() => refused).toBeGreaterThan(2);
  await promisify(dying.close.bind(dying))();
  await cluster.start();
  await expectRecovery(await starting);
}, 180_000);

test('a server that starts while its database is read-only comes up once it accepts writes', async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const keeper = connectPostgres(cluster.url('postgres'), { max: 1 });
  onTestFinished(keeper.close);
  await makeReadOnly(keeper, true);
  const starting = startServer({ DATABASE_URL: cluster.url('postgres') });
  const refusals = () =>
    sql<{ count: bigint }>`select xact_rollback as count from pg_stat_database where datname = 'postgres'`
      .execute(keeper.db)
      .then(({ rows }) => rows[0]?.count);
  await expect.poll(refusals).toBeGreaterThan(2n);
  await makeReadOnly(keeper, false);
  await expectRecovery(await starting);
}, 180_000);

test('a server whose primary dies while it creates its job queues creates them when the primary is back', async () => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const settings = { DATABASE_URL: cluster.url('postgres') };
  const first = await startServer(settings);
  // Kept open however long the server takes to start: the lock is lost with its connection.
  const keeper = connectPostgres(cluster.url('postgres'), { max: 1, idleTimeoutMillis: 0 });
  await queuesMade(first);
  await first.stop();
  await sql`delete from pgboss.schedule`.execute(keeper.db);
  await sql`begin`.execute(keeper.db);
  await sql`lock table pgboss.schedule in access exclusive mode`.execute(keeper.db);
  // It says that it serves once its queues are there.
  const starting = startServer(settings);
  // Not from the connection with the lock: a transaction sees the same activity throughout.
  const watcher = connectPostgres(cluster.url('postgres'), { max: 1 });
  const waiting = sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and query like '%pgboss.schedule%'`;
  await expect.poll(async () => (await waiting.execute(watcher.db)).rows.length).toBeGreaterThan(0);
  await cluster.kill();
  await Promise.all([keeper.close(), watcher.close()]);
  await cluster.start();
  const server = await starting;
  onTestFinished(server.kill);
  const after = connectPostgres(cluster.url('postgres'), { max: 1 });
  onTestFinished(after.close);
  const queues = sql<{ queues: bigint; scheduled: bigint }>`
    select (select count(*) from jobs.health where kind = 'queue') as queues, (select count(*) from pgboss.schedule) as scheduled`;
  await expect
    .poll(async () => {
      const { rows } = await queues.execute(after.db);
      return rows[0]?.queues === rows[0]?.scheduled;
    })
    .toBe(true);
  await expectRecovery(server);
}, 180_000);

test('a standby promoted right after it received the schema accepts every write that the primary did', async () => {
  const after = await failOver(readMigrations(), work);
  await work(after);
  const sequences = await sql<{ name: string }>`
    select schemaname || '.' || sequencename as name from pg_sequences order by 1`.execute(after.db);
  expect(sequences.rows.length).toBeGreaterThan(10);
  for (const { name } of sequences.rows) await sql`select nextval(${name})`.execute(after.db);
});

test('one promoted before the sequence was logged accepts writes again once the schema is up to date', async () => {
  const after = await failOver(
    readMigrations().filter(({ number }) => number < SEQUENCE_LOGGED),
    async () => {},
  );
  await expect(tell(after, 1n)).rejects.toThrow('bad magic number in sequence');
  await migrate(after);
  await work(after);
});

/** It logs when the database is unavailable and when it is back, in this order, and no other error. */
async function expectRecovery(server: ServerProcess): Promise<void> {
  onTestFinished(server.kill);
  const told = () => server.output().match(/database (not available|available again)|"level":50/g) ?? [];
  await expect.poll(() => told().at(-1)).toBe('database available again');
  // Connections notice the change one after the other, so the outage may be logged twice.
  const words = ['database not available', 'database available again'];
  expect(told()).toEqual(told().map((_line, index) => words[index % 2]));
  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(200);
}

async function makeReadOnly(database: Database, isReadOnly: boolean): Promise<void> {
  await sql`alter system set default_transaction_read_only = ${sql.raw(isReadOnly ? 'on' : 'off')}`.execute(
    database.db,
  );
  await sql`select pg_reload_conf()`.execute(database.db);
}

/** Members sign up, get money and are notified: what writes to most tables. */
async function work(database: Database): Promise<void> {
  const context = testContext(database);
  await ensureCompany(context);
  const { memberId } = await signUp(context, { email: `${crypto.randomUUID()}@example.com` });
  await giveFunds(context, memberId, 5_000_000n);
  await tell(database, memberId);
}

const tell = (database: Database, memberId: bigint) =>
  sql`
  insert into live.event (kind, members, subjects)
  values ('notification', array[${memberId}::bigint], array[1::bigint])`.execute(database.db);
