import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { sql } from 'kysely';
import { Pool } from 'pg';
import { pino } from 'pino';
import { prepare } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import { followMarket } from '#server/trading/index.ts';
import { type Cluster, findPostgresPrograms, freePort, startCluster } from '#test/postgres-cluster.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { startServer } from '#test/server-process.ts';

const SECONDS = 10;
const CONNECTIONS = 16;
const HTTP_MEMBERS = 1000;
const SETTLED_TRADES = Number(process.env.N ?? 100_000);
const MEMBERS_AT_ONCE = 10_000;
const RESULTS = join(import.meta.dirname, 'results');

type Row = { what: string; measured: number; reference: number; unit: string; ratio: number; bar: number; aim: number; atMost: boolean };

const isMet = (row: Row) => (row.atMost ? row.ratio <= row.bar : row.ratio >= row.bar);

/**
 * Trading against its references, all in one run on one durable PostgreSQL: placing over HTTP against `pgbench -N`, the
 * balance over HTTP against a bare route, and a settlement against the bare writing of the same rows.
 *
 * @returns whether every figure reaches its bar
 */
export async function runTradeBench(): Promise<boolean> {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('The benchmark needs PostgreSQL programs (Debian: apt-get install postgresql)');
  const cluster = await startCluster(programs, { durable: true, settings: ['shared_buffers=512MB', 'max_wal_size=4GB', 'checkpoint_timeout=30min'] });
  try {
    const settled = await benchSettlement(cluster);
    const served = await benchHttp(cluster);
    return report([...served, settled.row], settled.rssMb);
  } finally {
    await cluster.stop();
  }
}

// ---- over HTTP ----

async function benchHttp(cluster: Cluster): Promise<Row[]> {
  const { database, context, url, recording } = await openWorld(cluster, 'http');
  const tokens = await signInMembers(database, HTTP_MEMBERS);
  await fund(context, HTTP_MEMBERS, 1_000_000_000_000n);
  const env = { MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: START };
  const bare = startBare(url, await freePort());
  const server = await startServer({ DATABASE_URL: url, JOBS: 'off', RATE_LIMIT: '1000000', LOG_LEVEL: 'error', ...env });
  try {
    await bare.ready();
    const reference = await runPgbench(cluster);
    await touchSessions(database);
    const placed = await fire(server.origin, 'POST', '/api/v1/trading/do-trade', tokens);
    await touchSessions(database);
    const balances = await fire(server.origin, 'GET', '/api/v1/auth/wallet-balance', tokens);
    const bareSelects = await fire(bare.origin, 'GET', '/balance', tokens);
    return [
      { what: 'POST trading/do-trade over HTTP, pgbench -N', measured: placed, reference, unit: '/s', ratio: placed / reference, bar: 0.25, aim: 0.4, atMost: false },
      { what: 'GET auth/wallet-balance, bare Fastify route with one select', measured: balances, reference: bareSelects, unit: '/s', ratio: balances / bareSelects, bar: 0.6, aim: 0.9, atMost: false },
    ];
  } finally {
    bare.child.kill('SIGTERM');
    await server.stop();
    await database.close();
    recording.remove();
  }
}

/** Requests a second, all of them answered with success. Each has an Idempotency-Key of its own. */
async function fire(origin: string, method: 'GET' | 'POST', path: string, tokens: readonly string[]): Promise<number> {
  const run = (duration: number) => {
    let next = 0;
    return autocannon({
      url: origin,
      connections: CONNECTIONS,
      duration,
      requests: [
        {
          method,
          path,
          setupRequest: (request) => {
            const token = tokens[next++ % tokens.length] as string;
            const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
            return { ...request, headers, ...(method === 'POST' ? { body: '{"tradeId":"btc","amount":5,"wallet_type":"primary"}' } : {}) };
          },
        },
      ],
    });
  };
  await run(3);
  const result = await run(SECONDS);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  return result['2xx'] / result.duration;
}

async function runPgbench(cluster: Cluster): Promise<number> {
  const run = (...args: string[]) =>
    execFileSync(join(cluster.programs, 'pgbench'), ['-h', '127.0.0.1', '-p', String(cluster.port), '-U', 'tradewind', ...args, 'pgbench'], { encoding: 'utf8', stdio: 'pipe' });
  await createDatabase(cluster, 'pgbench');
  run('-i', '-q', '-s', '20');
  const output = run('-N', '-c', '8', '-j', '2', '-T', String(SECONDS));
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

/** The reference for reading: nothing but a route and a primary-key select, in a process of its own like the server. */
async function serveBare(url: string, port: number): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 10 });
  const app = fastify();
  app.get('/balance', async (request) => {
    const account = (Number(request.headers['content-length'] ?? 0) + 2) * 32 + 1;
    const { rows } = await pool.query('select balance from ledger.account where id = $1', [account]);
    return { status: 'success', data: rows[0] };
  });
  await app.listen({ port, host: '127.0.0.1' });
}

function startBare(url: string, port: number): { origin: string; child: ChildProcess; ready: () => Promise<void> } {
  const child = spawn(process.execPath, [import.meta.filename, 'bare', url, String(port)], { stdio: ['ignore', 'inherit', 'inherit'] });
  const origin = `http://127.0.0.1:${port}`;
  const ready = async () => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const isUp = await fetch(`${origin}/balance`).then((reply) => reply.ok, () => false);
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the bare server did not start');
  };
  return { origin, child, ready };
}

// ---- settlement ----

async function benchSettlement(cluster: Cluster): Promise<{ row: Row; rssMb: number }> {
  const { database, context, recording } = await openWorld(cluster, 'settlement');
  try {
    await addMembers(database, SETTLED_TRADES);
    await fund(context, SETTLED_TRADES, 1_000_000_000n);
    await queueTrades(context, SETTLED_TRADES);
    await playUntil(context, '2026-03-04T12:31:00Z', () => followMarket(context));
    await playUntil(context, '2026-03-04T17:29:30Z', () => followMarket(context));
    await keepBefore(database);
    await playUntil(context, '2026-03-04T17:30:00Z', async () => {});
    await database.runScript('checkpoint');
    const rssBefore = process.memoryUsage().rss;
    const watch = watchRss();
    const measured = await timed(() => followMarket(context));
    const rssMb = (watch.stop() - rssBefore) / 2 ** 20;
    await database.runScript('checkpoint');
    const reference = await timed(() => writeBare(database));
    return {
      row: { what: `settle ${SETTLED_TRADES} open trades, bare writing of the same rows`, measured, reference, unit: ' s', ratio: measured / reference, bar: 3, aim: 2, atMost: true },
      rssMb,
    };
  } finally {
    await database.close();
    recording.remove();
  }
}

/** Tables as they were before, with nothing but their primary key. */
async function keepBefore(database: Database): Promise<void> {
  await database.runScript('vacuum analyze');
  await database.runScript(`
    create schema bare;
    create table bare.account as select id, balance from ledger.account;
    create table bare.trade as select * from trading.trade;
    alter table bare.account add primary key (id);
    alter table bare.trade add primary key (id);
    create table bare.transfer (like ledger.transfer, primary key (id));
    create table bare.daily_result (like trading.daily_result, primary key (member_id, session_day));
    create table bare.lifetime_result (like trading.lifetime_result, primary key (member_id));
    create table bare.equity (like trading.equity, primary key (member_id, session_day));
    create table bare.notification (like notify.notification, primary key (member_id, id));
    create table bare.mark as select max(id) as id from ledger.transfer;
  `);
  await database.runScript('vacuum analyze');
}

/** Every row the settlement wrote, written again by plain statements: as many, with the same columns. */
async function writeBare(database: Database): Promise<void> {
  await database.runScript('insert into bare.transfer select t.* from ledger.transfer t, bare.mark m where t.id > m.id');
  await database.runScript('insert into bare.daily_result select * from trading.daily_result');
  await database.runScript('insert into bare.lifetime_result select * from trading.lifetime_result');
  await database.runScript('insert into bare.equity select * from trading.equity');
  await database.runScript('insert into bare.notification select * from notify.notification');
  await database.runScript(`
    update bare.trade b set state = t.state, closed_at = t.closed_at, close_price = t.close_price, close_reason = t.close_reason,
      gross = t.gross, performance_fee = t.performance_fee, result = t.result
    from trading.trade t where t.id = b.id`);
  await database.runScript('update bare.account b set balance = a.balance from ledger.account a where a.id = b.id and a.balance <> b.balance');
}

function watchRss(): { stop: () => number } {
  let most = process.memoryUsage().rss;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

// ---- the world it happens in ----

const START = '2026-03-04T12:20:00Z';

async function openWorld(cluster: Cluster, name: string) {
  await createDatabase(cluster, name);
  const url = cluster.url(name);
  // Prices alternate by coin and hour, so that about half of the trades win.
  const recording = recordMarket({
    from: '2026-03-04T00:00:00Z',
    minutes: 1440,
    candle: (symbol, at) => still(at.getUTCHours() < 14 ? '100' : symbol < 'd' ? '108.5' : '93.25'),
  });
  const database = connectPostgres(url);
  await migrate(database);
  const env = { LOG_LEVEL: 'error', MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: START, MARKET_SPEED: '3600' };
  const context: Context = { db: database.db, config: readConfig(env), now: () => new Date(), log: pino({ level: 'error' }) };
  await prepare(context);
  return { database, context, url, recording };
}

async function createDatabase(cluster: Cluster, name: string): Promise<void> {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}`);
  await admin.close();
}

/** The company is member 1; these are 2 and on. Written at once: signing up is not what is measured. */
async function addMembers(database: Database, count: number): Promise<void> {
  await sql`
    insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select 'TW' || lpad(n::text, 8, '0'), 1, 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
    from generate_series(1, ${count}::int) n`.execute(database.db);
  for (let first = 2; first < count + 2; first += MEMBERS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(MEMBERS_AT_ONCE, count + 2 - first) }, (_, index) => BigInt(first + index));
    await inTransaction(database.db, (tx) => openMemberAccounts(tx, ids));
  }
}

async function signInMembers(database: Database, count: number): Promise<string[]> {
  await addMembers(database, count);
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await sql`
    insert into identity.auth_session (token_hash, member_id, device, address, created_at, last_used_at, expires_at)
    select decode(hash, 'hex'), n + 1, 'bench', '127.0.0.1', now(), now(), now() + interval '1 day'
    from unnest(${hashes}::text[]) with ordinality as session(hash, n)`.execute(database.db);
  return tokens;
}

/** The last use of a sign-in is written once a minute; here all would be due at once. */
async function touchSessions(database: Database): Promise<void> {
  await database.runScript('update identity.auth_session set last_used_at = now()');
}

async function fund(context: Context, count: number, amount: bigint): Promise<void> {
  await inBatches(count, (first, last) =>
    inTransaction(context.db, (tx) =>
      postFrom(
        tx,
        sql`
          select 'bench/' || n, ${houseAccount('gateway')}, ${memberAccount(sql`n`, 'primary')}, ${amount}::bigint, 'deposit', 'bench', now(), null::text
          from generate_series(${first}::bigint, ${last}::bigint) n`,
      ),
    ),
  );
}

/** One trade a member, spread over the coins, placed as `placeTrade` places them. */
async function queueTrades(context: Context, count: number): Promise<void> {
  await inBatches(count, (first, last) =>
    inTransaction(context.db, async (tx) => {
      await sql`
        insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
        select n, a.symbol, 'primary', 100000000 + n * 137 % 400000000, now(), ${new Date(START)}
        from generate_series(${first}::bigint, ${last}::bigint) n join market.asset a on a.id = 1 + n % 16 order by n`.execute(tx);
      await postFrom(
        tx,
        sql`
          select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')}, amount,
            'trade_place', 'trade ' || id, requested_at, null::text
          from trading.trade where member_id between ${first} and ${last}`,
      );
    }),
  );
}

async function inBatches(count: number, work: (first: bigint, last: bigint) => Promise<unknown>): Promise<void> {
  for (let first = 2; first < count + 2; first += MEMBERS_AT_ONCE) {
    await work(BigInt(first), BigInt(Math.min(first + MEMBERS_AT_ONCE, count + 2) - 1));
  }
}

// ---- the table ----

function report(rows: readonly Row[], rssMb: number): boolean {
  const lines = [
    '| what, reference | measured | reference | ratio | must reach | aim | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.what} | ${format(row.measured)}${row.unit} | ${format(row.reference)}${row.unit} | ${row.ratio.toFixed(2)} | ${row.atMost ? '≤' : '≥'} ${row.bar} | ${row.aim} | ${isMet(row) ? 'met' : 'MISSED'} |`,
    ),
    '',
    `Node memory grew by ${rssMb.toFixed(0)} MB while settling ${SETTLED_TRADES} trades.`,
  ];
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
  const text = lines.join('\n');
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'trade.md'), `# Trading\n\n${new Date().toISOString()} · ${findCommit()} · ${machine}\n\n${text}\n`);
  process.stdout.write(`${text}\n`);
  return rows.every(isMet);
}

const format = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function findCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'no commit';
  }
}

if (import.meta.main) {
  const [, , mode, url, port] = process.argv;
  if (mode === 'bare' && url && port) await serveBare(url, Number(port));
  else if (!(await runTradeBench())) process.exitCode = 1;
}
