import assert from 'node:assert';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { findValue } from '#server/db/rows.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { openLiveClient } from '#test/kit/live-client.ts';
import { callApi } from '#test/kit/send-api.ts';
import { startServer } from '#test/kit/server-process.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { checkBooks } from './faults/books.ts';

const GOING_AWAY = 1001;

let database: Database;
let context: Context;
let person: Awaited<ReturnType<typeof signUp>>;
let env: Record<string, string>;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, context, close } = await bootRecorded({ speed: 60 }));
  const { replayData } = context.config.market;
  env = {
    DATABASE_URL: database.pool?.options.connectionString as string,
    SANDBOX_SECRET: context.config.sandboxSecret as string,
    MARKET_FEED: 'replay',
    REPLAY_DATA: replayData as string,
    MARKET_SPEED: '60',
    LOG_LEVEL: 'info',
    // Blocked work waits as long as the test blocks it.
    DATABASE_LOCK_MS: '60000',
    DATABASE_STATEMENT_MS: '60000',
  };
});
afterAll(() => close());
beforeEach(async () => {
  person = await signUp(context, { email: `${crypto.randomUUID()}@example.com` });
  await giveFunds(context, person.memberId, 1_000_000_000n);
});

/** Locks what a trade of the member and a step of the market need: both start and cannot finish. */
async function holdUp(): Promise<() => Promise<void>> {
  const client = await database.pool?.connect();
  assert(client !== undefined);
  await client.query('begin');
  await client.query('select from ledger.account where member_id = $1 for update', [person.memberId]);
  await client.query('select from market.clock for update');
  let isHeld = true;
  const letGo = async () => {
    if (isHeld) await client.query('commit');
    if (isHeld) client.release();
    isHeld = false;
  };
  onTestFinished(letGo);
  return letGo;
}

/** A server, and the member signed in at it: the clock that created the member stands still. */
async function start(program?: readonly string[], more: Record<string, string> = {}) {
  const begun = await marketTime();
  const server = await startServer({ ...env, ...more }, 120, program);
  onTestFinished(server.kill);
  // The first step takes the clock over and moves nothing: the blocked one must be one that moves it.
  await expect.poll(marketTime).not.toEqual(begun);
  const body = { loginId: person.referralCode, password: TEST_PASSWORD };
  const data = await callApi<{ access_token: string }>(server.origin, 'auth/login', { body });
  return { server, token: data.access_token };
}

/** Statements of other connections that wait for a lock, by table. */
async function listWaiting(): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select case when query like '%from market.clock for update%' then 'round' else 'request' end as table
    from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db);
  return [...new Set(rows.map((row) => row.table))].sort();
}

const countOthers = () => findValue(context.db)<number>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
const marketTime = async () => await findValue(context.db)<Date>`select at from market.clock`;
const countTrades = () => findValue(context.db)<number>`
    select count(*)::int as count from trading.trade where member_id = ${person.memberId}`;

/** A connection that records every response. */
function dial(origin: string, token: string) {
  const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let answered = '';
  socket.on('data', (chunk) => {
    answered += chunk;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  return {
    post: (path: string, body: object) => {
      const text = JSON.stringify(body);
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json`;
      socket.write(`${head}\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    },
    statuses: () => [...answered.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => Number(match[1])),
    closed,
  };
}

/** As a proxy checks: the status, or that the connection is refused. */
const askWhetherReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    ({ status }) => status,
    () => 'refused' as const,
  );

const trade = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };

test('a stopping server accepts nothing new, completes requests and its round, notifies sockets and exits with 0', {
  timeout: 120_000,
}, async () => {
  const { server, token } = await start();
  const socket = await openLiveClient(server.origin, token);
  const before = await marketTime();
  const letGo = await holdUp();
  const line = dial(server.origin, token);
  line.post('/api/v1/trading/do-trade', trade);
  await expect.poll(listWaiting).toEqual(['request', 'round']);

  const ended = server.stop();
  expect(await socket.closed).toBe(GOING_AWAY);
  expect([503, 'refused']).toContain(await askWhetherReady(server.origin));
  await letGo();
  expect(await ended, server.output()).toBe(0);
  await line.closed;

  expect(line.statuses()).toEqual([200]);
  expect(await countTrades()).toBe(1);
  expect((await marketTime())?.getTime()).toBeGreaterThan(before?.getTime() as number);
  const { rows } = await sql<{ held: boolean }>`
    select coalesce(held_until > now(), false) as held from market.clock`.execute(context.db);
  expect(rows).toEqual([{ held: false }]);
  expect(await checkBooks(context.db)).toEqual([]);
});

test('work that does not finish in time is cut off, and never half done', { timeout: 120_000 }, async () => {
  const program = ['--input-type=module', '-e', "const { run } = await import('#server/main.ts'); await run(1000);"];
  const { server, token } = await start(program);
  const letGo = await holdUp();
  const before = await marketTime();
  const line = dial(server.origin, token);
  line.post('/api/v1/trading/do-trade', trade);
  await expect.poll(listWaiting).toEqual(['request', 'round']);

  expect(await server.stop()).toBe(1);
  expect(server.output()).toContain('shutdown timed out, work was cut off');
  await line.closed;
  await letGo();
  await expect.poll(countOthers).toBe(0);

  expect(line.statuses()).toEqual([]);
  expect(await marketTime()).toEqual(before);
  // The trade was never acknowledged: PostgreSQL may have completed its one statement, or not started it.
  expect([0, 1]).toContain(await countTrades());
  expect(await checkBooks(context.db)).toEqual([]);
});

test('a draining server reports that it is not ready and serves each connection once more', {
  timeout: 120_000,
}, async () => {
  const { server, token } = await start(undefined, { DRAIN_SECONDS: '3' });
  const line = dial(server.origin, token);
  const stoppedAt = performance.now();
  const ended = server.stop();
  await expect.poll(() => askWhetherReady(server.origin), { interval: 50 }).toBe(503);
  line.post('/api/v1/trading/do-trade', trade);
  // Closed by the server, or it would stay open until the end.
  await line.closed;
  expect(performance.now() - stoppedAt).toBeLessThan(3000);
  expect(line.statuses()).toEqual([200]);
  expect(await ended, server.output()).toBe(0);
  expect(performance.now() - stoppedAt).toBeGreaterThan(3000);
  expect(await askWhetherReady(server.origin)).toBe('refused');
  expect(await countTrades()).toBe(1);
});
