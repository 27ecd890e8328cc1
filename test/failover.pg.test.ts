import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ensureCompany } from '#server/accounts/index.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { testContext } from './builders.ts';
import { giveFunds, signUp } from './members.ts';
import { type Cluster, findPostgresPrograms, startCluster } from './postgres-cluster.ts';
import { startStandby } from './postgres-standby.ts';
import { startServer } from './server-process.ts';

const DATABASE = 'tradewind';
const SEQUENCE_LOGGED = 32;

const programs = findPostgresPrograms() as string;

/** A primary with the given part of the schema is gone, and its standby, made before there was any schema, takes its place. */
async function failOver(
  migrations: ReturnType<typeof readMigrations>,
  act: (before: Database) => Promise<void>,
): Promise<Database> {
  // No checkpoint, so no restartpoint: what the standby has replayed is nowhere but in its memory and its log.
  const primary = await startCluster(programs, { settings: ['checkpoint_timeout=1h', 'max_wal_size=4GB'] });
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

test('of several hosts the one that takes writes is used, from the start on and after a failover, without a restart', async () => {
  const primary = await startCluster(programs);
  onTestFinished(primary.stop);
  const standby = await startStandby(primary);
  onTestFinished(standby.stop);
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgresql://tradewind@${hosts}/postgres?target_session_attrs=read-write`;
  const server = await startServer({ DATABASE_URL: url, MARKET_SPEED: '3600' }, 60);
  onTestFinished(server.kill);
  const readiness = () => fetch(`${server.origin}/readyz`).then(({ status }) => status);
  const countRounds = async (cluster: Cluster) => {
    const database = connectPostgres(cluster.url('postgres'), { max: 1 });
    const { rows } = await sql<{ at: Date }>`
      select greatest((select max(succeeded_at) from jobs.health where kind = 'queue'), 'epoch') as at`.execute(
      database.db,
    );
    const listening = await sql`select from pg_stat_activity where query ilike 'listen%'`.execute(database.db);
    await database.close();
    return { at: rows[0]?.at.getTime() as number, listening: listening.rows.length };
  };
  await expect.poll(() => countRounds(primary), { timeout: 20_000 }).toMatchObject({ listening: 1 });

  await standby.catchUp();
  await primary.kill();
  await expect.poll(readiness).toBe(503);
  await standby.promote();
  await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
  // Requests, queues and the line that listens are all at the other one now.
  const before = (await countRounds(standby)).at;
  await expect
    .poll(async () => (await countRounds(standby)).at > before, { timeout: 90_000, interval: 500 })
    .toBe(true);
  expect((await countRounds(standby)).listening).toBe(1);
  await expect
    .poll(() => server.output().match(/database (not available|available again)|"level":50/g), { timeout: 20_000 })
    .toEqual(['database not available', 'database available again']);
}, 180_000);

test('a standby promoted right after the schema reached it takes every write that the primary took', async () => {
  const after = await failOver(readMigrations(), work);
  await work(after);
  const sequences = await sql<{ name: string }>`
    select schemaname || '.' || sequencename as name from pg_sequences order by 1`.execute(after.db);
  expect(sequences.rows.length).toBeGreaterThan(10);
  for (const { name } of sequences.rows) await sql`select nextval(${name})`.execute(after.db);
});

test('one that was promoted before the sequence was logged takes writes again as soon as the schema is up to date', async () => {
  const after = await failOver(
    readMigrations().filter(({ number }) => number < SEQUENCE_LOGGED),
    async () => {},
  );
  await expect(tell(after, 1n)).rejects.toThrow('bad magic number in sequence');
  await migrate(after);
  await work(after);
});

/** Members sign up, sign in, are given money and told of it: what writes to most tables. */
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
