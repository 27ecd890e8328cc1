import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { type Cluster, makeClusterFolder, startCluster } from '#test/database/postgres-cluster.ts';
import { openLiveClient } from '#test/kit/live-client.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';

/** The database’s host name in the server’s settings; a file defines what it resolves to, or its error. */
const HOST = 'database.test';
const LOOPBACK = '127.0.0.1';
const resolver = `
  import dns from 'node:dns';
  import { readFileSync } from 'node:fs';
  const { lookup } = dns;
  dns.lookup = (host, options, done) => {
    if (host !== '${HOST}') return lookup(host, options, done);
    const answer = readFileSync(process.env.NAME_FILE, 'utf8');
    if (answer === '${LOOPBACK}') return options.all ? done(null, [{ address: answer, family: 4 }]) : done(null, answer, 4);
    done(Object.assign(new Error('getaddrinfo ' + answer + ' ' + host), { code: answer, syscall: 'getaddrinfo' }));
  };`;

/** Of the cluster: enough for the server, and a few for the tests that take them all. */
const CONNECTIONS = 60;

const folder = makeClusterFolder();
const nameFile = join(folder, 'name');
let cluster: Cluster;
/** The administrator’s connection: by IP address, not by name. */
let keeper: Database;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  // The cluster is killed, and a sign-in right before it must survive.
  cluster = await startCluster({
    settings: ['synchronous_commit=on', `max_connections=${CONNECTIONS}`],
  });
  keeper = connectPostgres(cluster.url('postgres'), { max: 1, idleTimeoutMillis: 1 });
  writeName(LOOPBACK);
  const env = { DATABASE_URL: cluster.url('postgres').replace(LOOPBACK, HOST), NAME_FILE: nameFile };
  server = await startServer({ ...env, RATE_LIMIT: '1000000', SIGN_IN_LIMIT: '1000000' }, 120, [
    '--import',
    `data:text/javascript,${encodeURIComponent(resolver)}`,
    'server/main.ts',
  ]);
  const member = { name: 'Mira Lund', email: 'mira@example.com', password: TEST_PASSWORD };
  const invitation = { referralCode: 'TRADEWIND', mobile_number: '+919876543210' };
  const signedUp = await ask('POST', 'auth/register', { ...member, ...invitation });
  const signedIn = await ask('POST', 'auth/login', { loginId: signedUp.data.referral_code, password: TEST_PASSWORD });
  token = signedIn.data.access_token;
  // So that the checks of every second have a socket to check.
  await openLiveClient(server.origin, token);
}, 180_000);
afterAll(async () => {
  await server.stop();
  await keeper.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

async function ask(method: string, path: string, body?: object) {
  const reply = await sendApi(server.origin, path, { method, token, body });
  const { status, data } = await reply.json();
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), isRefusal: status === 'error', data };
}

const write = () => ask('PUT', 'notification/preferences', { trading: true });
const readiness = () => fetch(`${server.origin}/readyz`).then(({ status }) => status);

type Line = {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly code?: string; readonly message: string };
};
/** Warnings and errors after a position in the output. */
const troubles = (from: number): Line[] =>
  server
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level >= 40);

/** Empties tables and puts their files on a full disk. */
async function fill(tables: readonly string[]): Promise<() => Promise<void>> {
  await keeper.runScript(`truncate ${tables.join(', ')}`);
  const { rows } = await sql<{ path: string }>`
    select current_setting('data_directory') || '/' || pg_relation_filepath(name::regclass) as path
    from unnest(${tables}::text[]) as name`.execute(keeper.db);
  await dropConnections();
  for (const { path } of rows) {
    renameSync(path, `${path}.kept`);
    symlinkSync('/dev/full', path);
  }
  return async () => {
    for (const { path } of rows) renameSync(`${path}.kept`, path);
    // Connections keep known files open.
    await dropConnections();
  };
}

const dropConnections = () =>
  sql`
  select pg_terminate_backend(pid) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()`.execute(
    keeper.db,
  );

/** Takes every connection of the cluster. @returns a function that releases them */
async function takeConnections(): Promise<() => Promise<unknown>> {
  const taken: Client[] = [];
  const takeFree = async () => {
    while (taken.length < CONNECTIONS) {
      const client = new Client(cluster.url('postgres'));
      client.on('error', () => {});
      const isRefused = await client.connect().then(
        () => false,
        (error: { code?: string }) => error.code === '53300' || Promise.reject(error),
      );
      if (isRefused) return;
      taken.push(client);
    }
  };
  do {
    await takeFree();
    await taken[0]?.query(
      `
      select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> all ($1::int[])`,
      [taken.map(pidOf)],
    );
    // Terminated processes take a moment to exit.
    await takeFree();
  } while (taken.length < CONNECTIONS);
  return () => Promise.all(taken.map((client) => client.end()));
}

const pidOf = (client: Client) => (client as unknown as { readonly processID: number }).processID;

async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  await sql`alter system set default_transaction_read_only = ${sql.raw(isReadOnly ? 'on' : 'off')}`.execute(keeper.db);
  await sql`select pg_reload_conf()`.execute(keeper.db);
}

/** Atomically: between truncating a file and writing it a server would read an invalid name. */
function writeName(answer: string): void {
  writeFileSync(`${nameFile}.next`, answer);
  renameSync(`${nameFile}.next`, nameFile);
}

async function resolveTo(answer: string): Promise<void> {
  writeName(answer);
  await dropConnections();
}

/** So that an outage ends before the next test even when one fails. */
function once(act: () => Promise<unknown>): () => Promise<void> {
  let acted: Promise<unknown> | undefined;
  return async () => {
    acted ??= act();
    await acted;
  };
}

const outages: readonly [what: string, code: string | RegExp, begin: () => Promise<() => Promise<unknown>>][] = [
  [
    'server that is down',
    /^(ECONNREFUSED|ECONNRESET|57P0\d|undefined)$/,
    async () => {
      await cluster.kill();
      return cluster.start;
    },
  ],
  [
    'host name that does not exist',
    /^(ENOTFOUND|57P01)$/,
    async () => {
      await resolveTo('ENOTFOUND');
      return async () => writeName(LOOPBACK);
    },
  ],
  [
    'host name whose lookup fails',
    /^(EAI_AGAIN|57P01)$/,
    async () => {
      await resolveTo('EAI_AGAIN');
      return async () => writeName(LOOPBACK);
    },
  ],
  [
    'read-only server',
    /^25006$/,
    async () => {
      await makeReadOnly(true);
      return () => makeReadOnly(false);
    },
  ],
  ['server without a free connection', /^(53300|57P01)$/, takeConnections],
  ['full disk', /^(53100|57P01)$/, () => fill(['http.room', 'notify.mail_preference'])],
];

test.each(outages)(
  'a %s is a 503 everywhere, one log line at its start and one at its end, and needs no restart',
  { timeout: 120_000 },
  async (_what, code, begin) => {
    expect((await write()).status).toBe(200);
    const from = server.output().length;
    const endOnce = once(await begin());
    onTestFinished(endOnce);
    await expect.poll(async () => [(await write()).status, await readiness()]).toEqual([503, 503]);
    // Long enough for every loop and queue to run into it.
    const until = performance.now() + 4000;
    while (performance.now() < until) {
      const replies = await Promise.all(Array.from({ length: 20 }, write));
      for (const reply of replies) expect(reply).toMatchObject({ status: 503, retryAfter: '1', isRefusal: true });
      expect(await readiness()).toBe(503);
    }
    expect(troubles(from).map(({ msg }) => msg)).toEqual(['database not available']);
    await endOnce();
    await expect.poll(async () => [(await write()).status, await readiness()]).toEqual([200, 200]);
    await expect
      .poll(() => troubles(from).map(({ msg }) => msg))
      .toEqual(['database not available', 'database available again']);
    const fault = troubles(from)[0]?.err;
    // A terminated connection reports PostgreSQL’s reason, or only its end.
    const isCut = /^Connection terminated unexpectedly$|is not queryable$/.test(String(fault?.message));
    expect(isCut ? '57P01' : String(fault?.code ?? fault?.message)).toMatch(code);
  },
);
