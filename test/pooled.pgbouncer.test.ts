import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/index.ts';
import type { LiveMessage } from '#contract/live/live.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { workerCluster } from '#test/database/database.ts';
import { findPgbouncer, type Pooler, startPgbouncer } from '#test/database/pgbouncer.ts';
import { openLiveClient } from '#test/kit/live-client.ts';
import { runScript } from '#test/kit/run-script.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { checkBooks } from './faults/books.ts';
import { type FaultWorld, openFaultWorld } from './faults/fault-world.ts';
import { isOver } from './faults/phases.ts';
import { makeTraders, placeOne } from './faults/trade-load.ts';

let world: FaultWorld;
let pooler: Pooler;
let worker: ServerProcess;
let web: ServerProcess;
let tokens: string[];

beforeAll(async () => {
  const cluster = workerCluster();
  world = await openFaultWorld(cluster, 'pooled', { MARKET_SPEED: '3600', LOG_LEVEL: 'warn' });
  tokens = await makeTraders(world, 4);
  pooler = await startPgbouncer(findPgbouncer() as string, Number(new URL(cluster.url('pooled')).port));
  const env = {
    ...world.env,
    DATABASE_URL: pooler.url('pooled'),
    DATABASE_LISTEN_URL: cluster.url('pooled'),
    DATABASE_PREPARED: 'off',
    RATE_LIMIT: '1000000',
  };
  worker = await startServer(env);
  web = await startServer({ ...env, JOBS: 'off' });
}, 180_000);
afterAll(async () => {
  await Promise.all([web?.stop(), worker?.stop()]);
  await pooler?.stop();
  await world?.database.close();
});

const db = () => world.database.db;

async function call(path: string, token?: string, body?: object): Promise<{ status: number; path: string }> {
  const { status } = await sendApi(web.origin, `/api/v1${path}`, { token, body });
  return { status, path };
}

test('commands that keep to defaults say which settings PgBouncer needs', async () => {
  const url = pooler.url('pooled');
  const line = 'PgBouncer refuses it (unsupported startup parameter: options). docs/operations.md, "Processes", has';
  for (const script of ['ledger-verify.ts', 'migrate.ts'])
    expect(await runScript(script, [], { DATABASE_URL: url })).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATABASE_URL: ${line} the settings it needs.\n`,
    });
});

const reads = allEndpoints
  .map(({ row }) => row)
  .filter(({ method, access, params }) => method === 'GET' && access !== 'public' && params === undefined)
  .map(({ path }) => path);

/** One call after the other: the database path is under test, not a member’s share of connections. */
async function readAll(token: string) {
  const replies: Awaited<ReturnType<typeof call>>[] = [];
  for (const path of [...reads, ...reads]) replies.push(await call(path, token));
  return replies;
}

test('through PgBouncer in transaction mode members trade, sessions settle, every job runs, and nothing is a 500', {
  timeout: 240_000,
}, async () => {
  const socket = await openLiveClient(web.origin, tokens[0] as string);
  const placed = await Promise.all(
    Array.from({ length: 40 }, (_, index) => placeOne(web.origin, tokens[index % tokens.length] as string)),
  );
  const { rows: members } = await sql<{ code: string }>`
    select referral_code as code from identity.member where email like 'trader.%'`.execute(db());
  const replies = await Promise.all([
    ...members.map(({ code }) => call('/auth/login', undefined, { loginId: code, password: TEST_PASSWORD })),
    ...tokens.map((token) => readAll(token)),
  ]).then((each) => each.flat());
  expect(reads.length).toBeGreaterThan(30);
  expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(200);

  await expect.poll(() => isOver(db(), 'settlement'), { timeout: 120_000 }).toBe(true);
  const isToldSettled = (message: LiveMessage) =>
    message.type === 'trade' && (message.data.trades ?? []).some(({ state }) => state === 'settled');
  await socket.wait(isToldSettled);
  socket.close();
  const rows = await listRows(db())<{ state: string }>`
    select distinct state from trading.trade where id = any (${placed.map(({ tradeId }) => tradeId)}::bigint[])`;
  expect(rows).toEqual([{ state: 'settled' }]);

  const { rows: queues } = await sql<{ name: string }>`select name from jobs.health where kind = 'queue'`.execute(db());
  for (const { name } of queues) await sql`insert into jobs.request values (${name}, now())`.execute(db());
  const unrun = () => listValues(db())<string>`
      select name from jobs.health where succeeded_at is null or failures > 0`;
  await expect.poll(unrun).toEqual([]);
  expect(await checkBooks(db())).toEqual([]);
  expect(`${web.output()}${worker.output()}`).not.toMatch(/"level":[456]0/);
});

test('the LISTEN connection goes directly to PostgreSQL, and every other one through the pooler', async () => {
  const { rows } = await sql<{ name: string; count: number }>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = 'pooled' and query ilike 'listen%' group by 1`.execute(db());
  expect(rows).toEqual([{ name: 'tradewind live', count: 2 }]);
});
