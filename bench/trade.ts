import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { Pool } from 'pg';
import type { Context } from '#server/context.ts';
import { insertPlaced, placeTrade } from '#server/trading/orders/place-trade.ts';
import { type Cluster, freePort } from '#test/database/postgres-cluster.ts';
import { asDeployed, startServer } from '#test/kit/server-process.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { atMost, onCluster, timed, timesAtLeast } from './measure.ts';
import { preparePgbench, runReference } from './pgbench.ts';
import { type Figure, median, report } from './report.ts';
import { FIRST_MEMBER, openWorld, START, signInMembers } from './world.ts';

const ROUNDS = 3;
const SECONDS = 6;
/** Connections: for placing as in its target for p99; for reading as many as saturate the bare route. */
const PLACING_CONNECTIONS = 32;
const READING_CONNECTIONS = 16;
const ALONE = 400;
/** Each member calls several times a second, as a page does when it opens. */
const CALLERS = 250;

/**
 * Trading against its references on one durable PostgreSQL (docs/performance.md): placing over HTTP against
 * `pgbench -N`, the balance over HTTP against a bare route, and what group commit costs a single client. References and figures
 * alternate, and the median of the rounds counts.
 *
 * @returns whether every figure meets its target
 */
export async function runTradeBench(): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const served = await benchHttp(cluster);
    return report('trade', 'Trading', served, [
      `${server} HTTP: ${PLACING_CONNECTIONS} connections that place, ${READING_CONNECTIONS} that read, ${CALLERS} members, ${SECONDS} s a round, the application and the bare route each in a process of their own. All figures are medians of ${ROUNDS} rounds, in which reference and figure take turns.`,
    ]);
  });
}

async function benchHttp(cluster: Cluster): Promise<Figure[]> {
  const { database, context, url, recording } = await openWorld(cluster, 'http', CALLERS, 1_000_000_000_000n);
  const tokens = await signInMembers(context, CALLERS);
  const bare = startBare(url, await freePort());
  const settings = {
    ...asDeployed.env,
    DATABASE_URL: url,
    JOBS: 'off',
    RATE_LIMIT: '1000000',
    // As shipped: the log line of each request is part of its cost.
    LOG_LEVEL: 'info',
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: START,
  };
  const server = await startServer(settings, 60, asDeployed.program);
  try {
    await bare.ready();
    await preparePgbench(cluster);
    const fire = (origin: string, request: Request) => measure(origin, request, tokens);
    await fire(server.origin, placing);
    await fire(server.origin, reading);
    const rounds: { reference: number; placed: number; late: number; read: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const reference = await runReference(cluster, SECONDS);
      const { perSecond: placed, p99: late } = await fire(server.origin, placing);
      rounds.push({
        reference,
        placed,
        late,
        read: (await fire(server.origin, reading)).perSecond,
        bare: (await fire(bare.origin, bareReading)).perSecond,
      });
    }
    const added = await measureAlone(context);
    const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
    const times = timesAtLeast(rounds);
    return [
      times('POST trading/do-trade over HTTP', 'placed', ['pgbench -N', 'reference'], [0.5, 0.8]),
      atMost(`the same, p99 of ${PLACING_CONNECTIONS} connections`, of('late'), 'ms', 20, 10),
      atMost('added to a trade that is placed alone', added, 'ms', 1, 0.5),
      times('GET auth/wallet-balance over HTTP', 'read', ['bare route with one select', 'bare'], [0.8, 0.9]),
    ];
  } finally {
    bare.child.kill('SIGTERM');
    await server.stop();
    await database.close();
    recording.remove();
  }
}

type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly connections: number;
};
const placing: Request = {
  method: 'POST',
  connections: PLACING_CONNECTIONS,
  path: '/api/v1/trading/do-trade',
  body: JSON.stringify({ tradeId: 'btc', amount: 5, wallet_type: 'primary' }),
};
const reading: Request = { method: 'GET', path: '/api/v1/auth/wallet-balance', connections: READING_CONNECTIONS };
const bareReading: Request = { ...reading, path: '/balance' };

/** Milliseconds that placing adds to its statement alone, sequentially: medians of alternating rounds. */
async function measureAlone(context: Context): Promise<number> {
  const once = () => ({ callerId: BigInt(FIRST_MEMBER), call: 'bench', key: randomUUID(), bodyHash: 'a body' });
  const input = { tradeId: 'btc', amount: 5, wallet_type: 'primary' } as const;
  const trade = {
    ...({
      member_id: BigInt(FIRST_MEMBER),
      symbol: 'btc',
      wallet: 'primary',
      amount: 5_000_000n,
      isLimited: false,
    } as const),
    stops: { stopLoss: null, takeProfit: null, trailingStop: null },
    reply: await placeTrade(context, BigInt(FIRST_MEMBER), input, once()),
    depthSince: null,
  };
  const placed: number[] = [];
  const direct: number[] = [];
  for (let turn = 0; turn < ALONE; turn += 1) {
    const one = { ...trade, once: once(), placed_at: context.now() };
    placed.push(await timed(() => placeTrade(context, trade.member_id, input, once())));
    direct.push(await timed(() => insertPlaced(context.db, [one], { waiting: false })));
  }
  return median(placed) - median(direct);
}

/** Any reply that is not a success fails the benchmark. Each placing has its own key. */
async function measure(
  origin: string,
  { method, path, body, connections }: Request,
  tokens: readonly string[],
): Promise<{ perSecond: number; p99: number }> {
  let sent = 0;
  const result = await autocannon({
    url: origin,
    connections,
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
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99 };
}

/** The reference for reading: only a route and a primary-key select, in a separate process like the server. */
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
  const ready = () => waitFor(isUp, 'the bare server answers');
  return { origin, child, ready };
}

if (import.meta.main) {
  const [, , mode, url, port] = process.argv;
  if (mode === 'bare' && url && port) await serveBare(url, Number(port));
}
