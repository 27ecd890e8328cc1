import assert from 'node:assert';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { prepare } from '#server/boot.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { findValue } from '#server/db/rows.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { checkBooks } from './faults/books.ts';

let cluster: Cluster;
let database: Database;
let context: Context;
let server: ServerProcess;
let members: { readonly memberId: bigint; readonly token: string }[];
let operator: TestOperator;

beforeAll(async () => {
  cluster = await startCluster();
  database = connectPostgres(cluster.url('postgres'));
  await migrate(database);
  context = testContext(database, testClock(new Date().toISOString()));
  await prepare(context);
  members = [];
  for (const name of ['anna', 'bert', 'cora', 'dora', 'emil']) {
    const member = await signUp(context, { email: `${name}@example.com` });
    await giveFunds(context, member.memberId, 1_000_000_000n);
    members.push(member);
  }
  operator = await makeOperator(context, 'admin');
  server = await startServer({ DATABASE_URL: cluster.url('postgres'), RATE_LIMIT: '1000000' });
}, 180_000);
afterAll(async () => {
  await server.kill();
  await database.close();
  await cluster.stop();
});

type Told = {
  readonly status: number;
  readonly code?: string;
  readonly retryAfter: string | null;
  readonly ms: number;
};

/** One HTTP request and its duration. After 20 s without a response its status is 0. */
async function ask(path: string, token?: string, body?: object, key?: string): Promise<Told> {
  const began = performance.now();
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const request = { token, body, headers, signal: AbortSignal.timeout(20_000) };
  const reply = await sendApi(server.origin, path, request).catch(() => undefined);
  const { code } = (await reply?.json().catch(() => ({}))) ?? {};
  const ms = performance.now() - began;
  return { status: reply?.status ?? 0, code, retryAfter: reply?.headers.get('retry-after') ?? null, ms };
}

const askBalance = (token: string) => ask('/api/v1/auth/wallet-balance', token);
const askOverview = () => ask('/api/v1/operator/overview', operator.token);
const trade = { tradeId: 'btc', amount: 5, wallet_type: 'primary' };
const askTrade = (token: string, key: string) => ask('/api/v1/trading/do-trade', token, trade, key);
const login = { loginId: 'TW00000000', password: 'not the one' };

/** Locks a row that every trade of the member has to lock. */
async function lockAccount(memberId: bigint): Promise<() => Promise<void>> {
  const client = await database.pool?.connect();
  assert(client !== undefined);
  await client.query('begin');
  await client.query('select from ledger.account where member_id = $1 for update', [memberId]);
  let isHeld = true;
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('commit');
    client.release();
  };
  onTestFinished(letGo);
  return letGo;
}

const isYes = ({ status }: Told) => status === 200;

/** A clean-up that runs once: in the middle of the test, or at its end if it failed before. */
function once(act: () => Promise<void>): () => Promise<void> {
  let acted: Promise<void> | undefined;
  return () => {
    acted ??= act();
    return acted;
  };
}
const countTrades = (memberId: bigint) => findValue(context.db)<number>`
    select count(*)::int as count from trading.trade where member_id = ${memberId}`;

test('while forty trades wait for one locked row, other members read within 300 ms and trade, and probes answer', {
  timeout: 120_000,
}, async () => {
  const [owner, ...others] = members;
  assert(owner !== undefined && others.length === 4);
  const askBalances = () => Promise.all(others.map(({ token }) => askBalance(token)));
  // The first responses of a process take longer than any later ones.
  await Promise.all([askBalances(), askOverview()]);
  const letGo = await lockAccount(owner.memberId);
  const keys = Array.from({ length: 40 }, () => crypto.randomUUID());
  const trades = Promise.all(keys.map((key) => askTrade(owner.token, key)));
  await expect.poll(() => countLockWaits(context.db)).toBeGreaterThan(0);

  const balances = await askBalances();
  const meanwhile = await Promise.all([
    ask('/readyz'),
    askOverview(),
    ...others.map(({ token }) => askTrade(token, crypto.randomUUID())),
  ]);
  expect(await countLockWaits(context.db)).toBeGreaterThan(0);
  expect([...balances, ...meanwhile].map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(Math.max(...balances.map(({ ms }) => ms))).toBeLessThanOrEqual(300);

  const told = await trades;
  expect(new Set(told.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`))).toEqual(
    new Set(['503 not_ready 1']),
  );
  expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(5000);
  await letGo();
  expect(await countTrades(owner.memberId)).toBe(0);
  // Nothing was done under this key, so it can still be used.
  expect(await askTrade(owner.token, keys[0] as string)).toMatchObject({ status: 200 });
  expect(await askTrade(owner.token, keys[0] as string)).toMatchObject({ status: 200 });
  expect(await countTrades(owner.memberId)).toBe(1);
});

test('while all request connections wait for one table, calls are a 503 within 5 s, probes answer, then all recovers', {
  timeout: 180_000,
}, async () => {
  const before = await Promise.all(members.map(({ memberId }) => countTrades(memberId)));
  const client = await database.pool?.connect();
  assert(client !== undefined);
  const letGo = once(async () => {
    await client.query('rollback');
    client.release();
  });
  onTestFinished(letGo);
  await client.query('begin');
  await client.query('lock table ledger.account in access exclusive mode');

  const asked = () =>
    members.flatMap(({ token }) => [
      ...Array.from({ length: 10 }, () => askBalance(token)),
      // Balances and trades share statements; these need a connection each.
      ...Array.from({ length: 10 }, () => ask('/api/v1/auth/wallet-summary', token)),
      ...Array.from({ length: 10 }, () => askTrade(token, crypto.randomUUID())),
    ]);
  const waiting = Promise.all(asked());
  await expect.poll(() => countLockWaits(context.db)).toBeGreaterThan(4);
  expect((await Promise.all([ask('/healthz'), ask('/readyz')])).map(({ status }) => status)).toEqual([200, 200]);
  const told = [...(await waiting), ...(await Promise.all(asked()))];
  expect(new Set(told.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`))).toEqual(
    new Set(['503 not_ready 1']),
  );
  expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(5000);

  await letGo();
  const isWell = async () => (await Promise.all(members.map(({ token }) => askBalance(token)))).every(isYes);
  await expect.poll(isWell).toBe(true);
  // A refused trade is never executed, not even later.
  expect(await Promise.all(members.map(({ memberId }) => countTrades(memberId)))).toEqual(before);
  expect((await Promise.all(members.map(({ token }) => askTrade(token, crypto.randomUUID())))).every(isYes)).toBe(true);
  expect(await checkBooks(context.db)).toEqual([]);
});

test('while PostgreSQL is frozen, calls are a 503 within 5 s, and all recovers within 1 s after it', {
  timeout: 180_000,
}, async () => {
  const tokens = members.map(({ token }) => token);
  const [owner] = members;
  assert(owner !== undefined);
  // Idle connections in the pool, and a request in flight.
  const warm = await Promise.all(tokens.flatMap((token) => [askBalance(token), askBalance(token)]));
  expect(warm.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  await lockAccount(owner.memberId);
  const underWay = askTrade(owner.token, crypto.randomUUID());
  await expect.poll(() => countLockWaits(context.db)).toBeGreaterThan(0);

  cluster.freeze();
  onTestFinished(cluster.thaw);
  const asked = (): Promise<Told>[] => [
    ask('/readyz'),
    askOverview(),
    ask('/api/v1/auth/login', undefined, login),
    ask('/api/v1/market'),
    ...tokens.flatMap((token) => [askBalance(token), askTrade(token, crypto.randomUUID())]),
  ];
  const told = [await underWay, ...(await Promise.all(asked())), ...(await Promise.all(asked()))];
  expect(new Set(told.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(['503 1']));
  expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(5000);
  expect(await ask('/healthz')).toMatchObject({ status: 200 });

  const began = performance.now();
  cluster.thaw();
  const [, other] = tokens;
  const isWell = async () => {
    const answers = await Promise.all([ask('/readyz'), askOverview(), askBalance(other as string)]);
    return answers.every(({ status }) => status === 200);
  };
  await expect.poll(isWell, { interval: 20 }).toBe(true);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(await askTrade(other as string, crypto.randomUUID())).toMatchObject({ status: 200 });
  expect(await checkBooks(context.db)).toEqual([]);
});
