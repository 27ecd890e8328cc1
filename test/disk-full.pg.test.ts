import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { prepare } from '#server/boot.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { findValue } from '#server/db/rows.ts';
import { type Cluster, startCluster } from '#test/database/postgres-cluster.ts';
import { mountSmallDisk, type SmallDisk } from '#test/database/small-disk.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { checkBooks } from './faults/books.ts';

/** Room for an empty cluster, its schema and a log short of the end of its last segment. */
const DISK_MEGABYTES = 320;
const CONCURRENCY = 10;

let disk: SmallDisk;
let cluster: Cluster;
let database: Database;
let context: Context;
let server: ServerProcess;
let members: { readonly memberId: bigint; readonly token: string }[];

beforeAll(async () => {
  disk = mountSmallDisk(DISK_MEGABYTES);
  const settings = ['synchronous_commit=on', 'max_wal_size=64MB', 'min_wal_size=32MB'];
  cluster = await startCluster({ parent: disk.folder, settings });
  database = connectPostgres(cluster.url('postgres'));
  await migrate(database);
  context = testContext(database, testClock(new Date().toISOString()));
  await prepare(context);
  members = [];
  for (let count = 0; count < CONCURRENCY; count += 1) {
    const member = await signUp(context, { email: `m${count}@example.com` });
    await giveFunds(context, member.memberId, 100_000_000_000n);
    members.push(member);
  }
  server = await startServer({ DATABASE_URL: cluster.url('postgres'), RATE_LIMIT: '1000000' });
}, 180_000);
afterAll(async () => {
  await server?.stop();
  await database?.close();
  await cluster?.stop();
  disk?.remove();
});

const ask = async (path: string, token?: string, body?: object) => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const reply = await sendApi(server.origin, path, { token, body, headers });
  const { code } = (await reply.json()) as { code?: string };
  return { status: reply.status, code, retryAfter: reply.headers.get('retry-after') };
};

const trade = (token: string) => ask('trading/do-trade', token, { tradeId: 'btc', amount: 5, wallet_type: 'primary' });
const readiness = () => fetch(`${server.origin}/readyz`).then(({ status }) => status);

const countTrades = () => findValue(database.db)<number>`select count(*)::int as count from trading.trade`;

test('on a full disk writes are a clear 503 and reads continue; with room again all recovers without a restart', {
  timeout: 180_000,
}, async () => {
  const tokens = members.map(({ token }) => token);
  const told: Awaited<ReturnType<typeof trade>>[] = [];
  const isRefused = ({ status }: { status: number }) => status !== 200;
  const work = async () => void told.push(...(await Promise.all(tokens.map(trade))));
  await work();
  expect(told.filter(isRefused)).toEqual([]);

  const from = server.output().length;
  const lines = () => server.output().slice(from);
  const makeRoom = disk.fill();
  onTestFinished(makeRoom);
  const isFull = async () => {
    await work();
    return told.some(isRefused);
  };
  await expect.poll(isFull).toBe(true);
  await expect.poll(readiness).toBe(503);
  // Long enough for loops and queues to run into it.
  for (const until = performance.now() + 4000; performance.now() < until; ) await work();
  for (const token of tokens) expect((await ask('auth/wallet-balance', token)).status).toBe(200);

  makeRoom();
  await expect.poll(readiness).toBe(200);
  await expect.poll(lines).toContain('database available again');
  const refused = told.filter(isRefused);
  expect(new Set(refused.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`))).toEqual(
    new Set(['503 not_ready 1']),
  );
  await work();
  expect(told.slice(-tokens.length).filter(isRefused)).toEqual([]);
  // Every accepted trade is there, and none that was refused.
  expect(await countTrades()).toBe(told.length - refused.length);
  expect(lines()).toContain('"code":"53100"');
  expect(await checkBooks(database.db)).toEqual([]);
});
