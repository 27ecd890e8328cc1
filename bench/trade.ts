import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
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
import { preparePgbench, runReference } from './pgbench.ts';
import { type Figure, median, report } from './report.ts';

const ROUNDS = 3;
const SECONDS = 6;
const CONNECTIONS = 16;
/** Each of them calls several times a second, as a page does when it opens. */
const CALLERS = 250;
const TRADES = 100_000;
const MEMBERS_AT_ONCE = 10_000;
const START = '2026-03-04T12:20:00Z';
const FIRST_MEMBER = 2;

/**
 * Trading against its references on one durable PostgreSQL (quality bar, Speed and scale): placing over HTTP against
 * `pgbench -N`, the balance over HTTP against a bare route, and a settlement against the bare writing of the same rows.
 * References and figures take turns, and the median of the rounds counts.
 *
 * @returns whether every figure reaches its bar
 */
export async function runTradeBench(): Promise<boolean> {
  const programs = findPostgresPrograms();
  if (programs === undefined)
    throw new Error('The benchmark needs PostgreSQL programs (Debian: apt-get install postgresql)');
  const settings = ['shared_buffers=512MB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'];
  const cluster = await startCluster(programs, { durable: true, settings });
  try {
    const served = await benchHttp(cluster);
    const settled = await benchSettlements(cluster);
    return report(
      'trade',
      'Trading',
      [...served, ...settled],
      [
        `Server: fsync and synchronous_commit on, ${settings.join(', ')}. HTTP: ${CONNECTIONS} connections, ${CALLERS} members, ${SECONDS} s a round, the application and the bare route each in a process of their own. All figures are medians of ${ROUNDS} rounds, in which reference and figure take turns.`,
      ],
    );
  } finally {
    await cluster.stop();
  }
}

// ---- over HTTP ----

async function benchHttp(cluster: Cluster): Promise<Figure[]> {
  const { database, context, url, recording } = await openWorld(cluster, 'http', CALLERS, 1_000_000_000_000n);
  const tokens = await signIn(context, CALLERS);
  const bare = startBare(url, await freePort());
  const server = await startServer({
    DATABASE_URL: url,
    JOBS: 'off',
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'error',
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: START,
  });
  try {
    await bare.ready();
    await preparePgbench(cluster);
    const fire = (origin: string, request: Request) => measure(origin, request, tokens);
    await fire(server.origin, placing);
    await fire(server.origin, reading);
    const rounds: { reference: number; placed: number; read: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        reference: await runReference(cluster, SECONDS),
        placed: await fire(server.origin, placing),
        read: await fire(server.origin, reading),
        bare: await fire(bare.origin, bareReading),
      });
    }
    const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
    return [
      {
        what: 'POST trading/do-trade over HTTP',
        measured: of('placed'),
        unit: '/s',
        reference: { what: 'pgbench -N', measured: of('reference') },
        value: of('placed') / of('reference'),
        bar: 0.25,
        aim: 0.4,
        atMost: false,
      },
      {
        what: 'GET auth/wallet-balance over HTTP',
        measured: of('read'),
        unit: '/s',
        reference: { what: 'bare route with one select', measured: of('bare') },
        value: of('read') / of('bare'),
        bar: 0.6,
        aim: 0.9,
        atMost: false,
      },
    ];
  } finally {
    bare.child.kill('SIGTERM');
    await server.stop();
    await database.close();
    recording.remove();
  }
}

type Request = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };
const placing: Request = {
  method: 'POST',
  path: '/api/v1/trading/do-trade',
  body: JSON.stringify({ tradeId: 'btc', amount: 5, wallet_type: 'primary' }),
};
const reading: Request = { method: 'GET', path: '/api/v1/auth/wallet-balance' };
const bareReading: Request = { method: 'GET', path: '/balance' };

/** Requests a second; a single one that is not a success is a fault. Each placing has a key of its own. */
async function measure(origin: string, { method, path, body }: Request, tokens: readonly string[]): Promise<number> {
  let sent = 0;
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method,
        path,
        ...(body === undefined ? {} : { body }),
        setupRequest: (request) => {
          const authorization = `Bearer ${tokens[sent++ % tokens.length]}`;
          const ofPosts = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
          return { ...request, headers: { authorization, ...(body === undefined ? {} : ofPosts) } };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  return result['2xx'] / result.duration;
}

/** The reference for reading: nothing but a route and a primary-key select, in a process of its own like the server. */
async function serveBare(url: string, port: number): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 10 });
  const app = fastify();
  app.get('/balance', async () => {
    const account = FIRST_MEMBER * 32 + 1;
    const { rows } = await pool.query('select balance from ledger.account where id = $1', [account]);
    return { status: 'success', data: rows[0] };
  });
  await app.listen({ port, host: '127.0.0.1' });
}

function startBare(url: string, port: number): { origin: string; child: ChildProcess; ready: () => Promise<void> } {
  const args = [import.meta.filename, 'bare', url, String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${origin}/balance`).then(
      (reply) => reply.ok,
      () => false,
    );
  const ready = async () => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (await isUp()) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the bare server did not start');
  };
  return { origin, child, ready };
}

// ---- settlement ----

async function benchSettlements(cluster: Cluster): Promise<Figure[]> {
  const rounds: { settled: number; bare: number; grownMb: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await benchSettlement(cluster, `settlement${round}`));
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  return [
    {
      what: `settlement of ${TRADES} open trades`,
      measured: of('settled'),
      unit: 's',
      reference: { what: 'bare writing of the same rows', measured: of('bare') },
      value: of('settled') / of('bare'),
      bar: 3,
      aim: 2,
      atMost: true,
    },
    {
      what: 'Node memory grown meanwhile',
      measured: of('grownMb'),
      unit: 'MB',
      value: of('grownMb'),
      bar: 300,
      aim: 50,
      atMost: true,
    },
  ];
}

/** A whole session of one trade a member, played to its last half minute; then the close is what is measured. */
async function benchSettlement(cluster: Cluster, name: string) {
  const { database, context, recording } = await openWorld(cluster, name, TRADES, 1_000_000_000n);
  try {
    await inBatches(TRADES, (first, last) => queueTrades(context, first, last));
    const follow = () => followMarket(context);
    await playUntil(context, '2026-03-04T12:31:00Z', follow);
    await playUntil(context, '2026-03-04T17:29:30Z', follow);
    await keepBefore(database);
    await playUntil(context, '2026-03-04T17:30:00Z', async () => {});
    await database.runScript('checkpoint');
    const memory = watchMemory();
    const settled = await timed(follow);
    const grownMb = memory.stop();
    await database.runScript('checkpoint');
    const bare = await timed(() => writeBare(database));
    return { settled, bare, grownMb };
  } finally {
    await database.close();
    recording.remove();
  }
}

/** The tables as they were before, with nothing but a primary key. */
async function keepBefore(database: Database): Promise<void> {
  await database.runScript(`
    create schema bare;
    create table bare.account as select id, balance from ledger.account;
    alter table bare.account add primary key (id);
    create table bare.trade as select * from trading.trade;
    alter table bare.trade add primary key (id);
    create table bare.transfer (like ledger.transfer, primary key (id));
    create table bare.daily_result (like trading.daily_result, primary key (member_id, session_day));
    create table bare.lifetime_result (like trading.lifetime_result, primary key (member_id));
    create table bare.equity (like trading.equity, primary key (member_id, session_day));
    create table bare.notification (like notify.notification, primary key (member_id, id));
    create table bare.last_transfer as select max(id) as id from ledger.transfer;
  `);
  await database.runScript('vacuum analyze');
}

/** Every row the settlement wrote, written again by plain statements: as many, with the same columns. */
async function writeBare(database: Database): Promise<void> {
  const copies = ['daily_result', 'lifetime_result', 'equity'].map(
    (table) => `insert into bare.${table} select * from trading.${table}`,
  );
  const statements = [
    'insert into bare.transfer select t.* from ledger.transfer t join bare.last_transfer last on t.id > last.id',
    ...copies,
    'insert into bare.notification select * from notify.notification',
    `update bare.trade b set state = t.state, closed_at = t.closed_at, close_price = t.close_price,
       close_reason = t.close_reason, gross = t.gross, performance_fee = t.performance_fee, result = t.result
     from trading.trade t where t.id = b.id`,
    'update bare.account b set balance = a.balance from ledger.account a where a.id = b.id and a.balance <> b.balance',
  ];
  for (const statement of statements) await database.runScript(statement);
}

/** Megabytes the process grew by, at most, until it is stopped. */
function watchMemory(): { stop: () => number } {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return (most - before) / 2 ** 20;
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

// ---- the world it happens in ----

/** Prices rise for a third of the coins and fall for the others, so that trades of every kind settle. */
async function openWorld(cluster: Cluster, name: string, members: number, balance: bigint) {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${name}`);
  await admin.close();
  const url = cluster.url(name);
  const recording = recordMarket({
    from: '2026-03-04T00:00:00Z',
    minutes: 1440,
    candle: (symbol, at) => still(at.getUTCHours() < 14 ? '100' : symbol < 'd' ? '108.5' : '93.25'),
  });
  const database = connectPostgres(url);
  await migrate(database);
  const env = { MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: START, MARKET_SPEED: '3600' };
  const log = pino({ level: 'error' });
  const context: Context = { db: database.db, config: readConfig(env), now: () => new Date(), log };
  await prepare(context);
  await inBatches(members, (first, last) => addMembers(context, first, last, balance));
  await database.runScript('vacuum analyze');
  return { database, context, url, recording };
}

/** The company is member 1; these are the next. Written at once: signing up is not what is measured. */
async function addMembers(context: Context, first: bigint, last: bigint, balance: bigint): Promise<void> {
  const ids = Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index));
  await inTransaction(context.db, async (tx) => {
    await sql`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad(n::text, 8, '0'), 1, 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
      from unnest(${ids}::bigint[]) n`.execute(tx);
    await openMemberAccounts(tx, ids);
    await postFrom(
      tx,
      sql`
        select 'bench/' || n, ${houseAccount('gateway')}, ${memberAccount(sql`n`, 'primary')}, ${balance}::bigint, 'deposit', 'bench',
          ${new Date(START)}::timestamptz, null::text
        from unnest(${ids}::bigint[]) n`,
    );
  });
}

/** Tokens of sign-ins, one a member; their use was just written down, as it is once a minute. */
async function signIn({ db }: Context, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await sql`
    insert into identity.auth_session (token_hash, member_id, device, address, created_at, last_used_at, expires_at)
    select decode(hash, 'hex'), n + ${FIRST_MEMBER} - 1, 'bench', '127.0.0.1', now(), now(), now() + interval '1 day'
    from unnest(${hashes}::text[]) with ordinality as sign_in(hash, n)`.execute(db);
  return tokens;
}

/** One trade a member, spread over the coins, as `placeTrade` leaves them. */
async function queueTrades({ db }: Context, first: bigint, last: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
      select n, a.symbol, 'primary', 100000000 + n * 137 % 400000000, now(), ${new Date(START)}
      from generate_series(${first}::bigint, ${last}::bigint) n join market.asset a on a.id = 1 + n % 16
      order by n`.execute(tx);
    await postFrom(
      tx,
      sql`
        select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')},
          amount, 'trade_place', 'trade ' || id, requested_at, null::text
        from trading.trade where member_id between ${first} and ${last}`,
    );
  });
}

async function inBatches(count: number, work: (first: bigint, last: bigint) => Promise<void>): Promise<void> {
  const end = FIRST_MEMBER + count;
  for (let first = FIRST_MEMBER; first < end; first += MEMBERS_AT_ONCE) {
    await work(BigInt(first), BigInt(Math.min(first + MEMBERS_AT_ONCE, end) - 1));
  }
}

if (import.meta.main) {
  const [, , mode, url, port] = process.argv;
  if (mode === 'bare' && url && port) await serveBare(url, Number(port));
}
