import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveMessage } from '#contract/live/live.ts';
import { liveCloses } from '#contract/live/live-rules.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { findValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { bootTest } from '#test/kit/boot.ts';
import { openLiveClient } from '#test/kit/live-client.ts';
import { type ApiRequest, callApi, sendApi } from '#test/kit/send-api.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';

/** Two web processes, a worker and one database: the tests’ own process writes nothing under test. */
let database: Database;
let context: Context;
let servers: readonly [ServerProcess, ServerProcess, ServerProcess];
let person: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  ({ database, context } = await bootTest({ MARKET_SPEED: '60' }));
  person = await signUp(context);
  await giveFunds(context, person.memberId, 1_000_000_000n);
  const env = {
    DATABASE_URL: database.pool?.options.connectionString as string,
    SANDBOX_SECRET: context.config.sandboxSecret as string,
    MARKET_SPEED: '60',
  };
  const start = (jobs: 'on' | 'off') => startServer({ ...env, JOBS: jobs });
  servers = await Promise.all([start('off'), start('off'), start('on')]);
}, 180_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.close();
});

async function call(server: ServerProcess, method: string, path: string, request: ApiRequest = {}) {
  const reply = await sendApi(server.origin, path, { ...request, method });
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  const { data } = (await reply.json()) as any;
  return { status: reply.status, data };
}

async function signInOn(server: ServerProcess): Promise<string> {
  const body = { loginId: person.referralCode, password: TEST_PASSWORD };
  return (await callApi<{ access_token: string }>(server.origin, 'auth/login', { body })).access_token;
}

const place = async (server: ServerProcess, token: string): Promise<string> => {
  const body = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };
  return (await callApi<{ id: string }>(server.origin, 'trading/do-trade', { token, body })).id;
};
const isOfTrade = (id: string) => (message: LiveMessage) =>
  message.type === 'trade' && (message.data.trades ?? []).some((trade) => trade.id === id);
const tradesTold = (told: readonly LiveMessage[]) =>
  told.flatMap((message) => (message.type === 'trade' ? (message.data.trades ?? []) : [])).map(({ id }) => id);

test('a sign-in of one process is valid in the others', async () => {
  const token = await signInOn(servers[0]);
  for (const server of servers) expect((await call(server, 'GET', 'auth/me', { token })).status).toBe(200);
});

test('a member’s action in one process reaches their socket at the other', async () => {
  const token = await signInOn(servers[0]);
  const socket = await openLiveClient(servers[1].origin, token);
  const id = await place(servers[0], token);
  expect(await socket.wait(isOfTrade(id))).toMatchObject({ data: { trades: [{ id, state: 'queued' }] } });
  await socket.wait(({ type, ...rest }) => type === 'balance' && 'data' in rest);
  socket.close();
});

test('a socket that moves from one process to the other gets each event once', async () => {
  const token = await signInOn(servers[0]);
  const placed: string[] = [];
  const told: string[] = [];
  let since: string | undefined;
  for (let round = 0; round < 6; round += 1) {
    const socket = await openLiveClient((servers[round % 2] as ServerProcess).origin, token, since);
    const id = await place(servers[0], token);
    placed.push(id);
    await socket.wait(isOfTrade(id));
    since = socket.position();
    told.push(...tradesTold(socket.told));
    socket.close();
    await socket.closed;
    placed.push(await place(servers[1], token));
  }
  const last = await openLiveClient(servers[0].origin, token, since);
  await last.wait(isOfTrade(placed.at(-1) as string));
  told.push(...tradesTold(last.told));
  last.close();
  expect(told).toEqual(placed);
});

test('events of concurrent transactions arrive in full, and none twice', async () => {
  const token = await signInOn(servers[0]);
  const socket = await openLiveClient(servers[1].origin, token);
  const placed = await Promise.all(
    Array.from({ length: 60 }, (_, index) => place(servers[index % 2] as ServerProcess, token)),
  );
  await Promise.all(placed.map((id) => socket.wait(isOfTrade(id))));
  expect(tradesTold(socket.told).toSorted()).toEqual(placed.toSorted());
  socket.close();
});

test('ending all other sign-ins ends their sockets and calls at every process within a second', async () => {
  const mine = await signInOn(servers[0]);
  const own = await openLiveClient(servers[1].origin, mine);
  const endOthers = async () => {
    const lost = await signInOn(servers[1]);
    const sockets = await Promise.all(servers.map(({ origin }) => openLiveClient(origin, lost)));
    const ask = () =>
      Promise.all(servers.map(async (server) => (await call(server, 'GET', 'auth/me', { token: lost })).status));
    expect(await ask()).toEqual([200, 200, 200]);
    expect((await call(servers[0], 'DELETE', 'auth/sessions', { token: mine })).status).toBe(200);
    const ended = performance.now();
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(servers.map(() => liveCloses.signedOut));
    const afterMs = performance.now() - ended;
    await expect.poll(ask, { interval: 20 }).toEqual([401, 401, 401]);
    return afterMs;
  };
  // Other load on the machine may delay one of them, but not all.
  const times = [await endOthers(), await endOthers(), await endOthers()];
  expect(Math.min(...times)).toBeLessThan(1000);
  expect((await call(servers[2], 'GET', 'auth/me', { token: mine })).status).toBe(200);
  own.close();
});

test('the worker alone moves the market, and sockets of the others get its prices', async () => {
  const token = await signInOn(servers[0]);
  const sockets = await Promise.all(servers.map(({ origin }) => openLiveClient(origin, token)));
  const times = sockets.map(({ told, wait }) => {
    const first = told.length;
    return wait((message) => message.type === 'prices' && told.indexOf(message) >= first).then(
      (message) => message.type === 'prices' && message.data.market_time,
    );
  });
  for (const time of await Promise.all(times)) expect(time).not.toBe(false);
  expect(await findValue(context.db)<string>`select holder from market.clock`).not.toBeNull();
  for (const socket of sockets) socket.close();
});

test('queued work is done once, whichever process requested it', async () => {
  const token = await signInOn(servers[0]);
  for (const server of servers.slice(0, 2)) {
    for (let asked = 0; asked < 5; asked += 1) {
      await inTransaction(context.db, (tx) =>
        notifyMember(tx, {
          memberId: person.memberId,
          kind: 'withdrawal_requested',
          message: 'Asked.',
          mail: { subject: `Asked ${asked}`, text: 'Asked.' },
        }),
      );
      await place(server, token);
    }
  }
  const left = () =>
    context.db
      .executeQuery<{ tries: number; state: string; mails: number }>(
        sql`select tries, state, count(*)::int as mails from notify.mail where subject like 'Asked %' group by 1, 2`.compile(
          context.db,
        ),
      )
      .then(({ rows }) => rows);
  await expect.poll(left).toEqual([{ tries: 1, state: 'logged', mails: 10 }]);
});

test('after the database server drops all connections, sockets stay open and get later events', async () => {
  const token = await signInOn(servers[0]);
  const socket = await openLiveClient(servers[1].origin, token);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(context.db);
  const body = { tradeId: 'eth', amount: 5, wallet_type: 'primary' };
  const tryPlace = async () => (await call(servers[0], 'POST', 'trading/do-trade', { token, body })).data?.id;
  let id: string | undefined;
  await expect
    .poll(async () => {
      id = await tryPlace();
      return id;
    })
    .toBeDefined();
  await socket.wait(isOfTrade(id as string));
  expect(socket.told.filter(({ type }) => type === 'resync')).toEqual([]);
  socket.close();
});
