import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { Pool } from 'pg';
import { type Cluster, freePort } from '#test/postgres-cluster.ts';
import { startServer } from '#test/server-process.ts';
import { waitFor } from '#test/wait-until.ts';
import { onCluster } from './measure.ts';
import { preparePgbench, runReference } from './pgbench.ts';
import { type Figure, median, report } from './report.ts';
import { FIRST_MEMBER, openWorld, START, signInMembers } from './world.ts';

const ROUNDS = 3;
const SECONDS = 6;
const CONNECTIONS = 16;
/** Each of them calls several times a second, as a page does when it opens. */
const CALLERS = 250;

/**
 * Trading against its references on one durable PostgreSQL (docs/performance.md): placing over HTTP against
 * `pgbench -N`, and the balance over HTTP against a bare route. References and figures take turns, and the median of the rounds counts.
 *
 * @returns whether every figure reaches its bar
 */
export async function runTradeBench(): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const served = await benchHttp(cluster);
    return report('trade', 'Trading', served, [
      `${server} HTTP: ${CONNECTIONS} connections, ${CALLERS} members, ${SECONDS} s a round, the application and the bare route each in a process of their own. All figures are medians of ${ROUNDS} rounds, in which reference and figure take turns.`,
    ]);
  });
}

async function benchHttp(cluster: Cluster): Promise<Figure[]> {
  const { database, context, url, recording } = await openWorld(cluster, 'http', CALLERS, 1_000_000_000_000n);
  const tokens = await signInMembers(context, CALLERS);
  const bare = startBare(url, await freePort());
  const server = await startServer({
    DATABASE_URL: url,
    JOBS: 'off',
    RATE_LIMIT: '1000000',
    // As it ships: the log line of each request is part of what it costs.
    LOG_LEVEL: 'info',
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
  const ready = () => waitFor(isUp, 'the bare server answers');
  return { origin, child, ready };
}

if (import.meta.main) {
  const [, , mode, url, port] = process.argv;
  if (mode === 'bare' && url && port) await serveBare(url, Number(port));
}
