import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureCompany, ensureFirstAdmin } from '#server/accounts/index.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import type { Http } from '#server/http/server.ts';
import { startLoop } from '#server/jobs/engine.ts';
import { openLive, startLive } from '#server/live/index.ts';
import { openEmailTransport, sendDueEmails } from '#server/notify/index.ts';
import { openLog } from '#server/telemetry/open-log.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type Reply, type Visit, visitAccount, visitMoney, visitSupport } from '#test/kit/logs-journeys.ts';
import { sendApi } from '#test/kit/send-api.ts';
import { patient } from '#test/worlds/app.ts';
import { testClock } from '#test/worlds/builders.ts';
import { signUp } from '#test/worlds/members.ts';

/** Every credential in the environment. */
const keys = {
  SANDBOX_SECRET: 'sandbox-secret-8d1f',
  COINGECKO_API_KEY: 'CG-key-51c07b',
  CCXT_API_KEY: 'exchange-key-99ab',
  CCXT_SECRET: 'exchange+secret/"quoted"',
  CCXT_PASSWORD: 'exchange-passphrase-41c8',
  BTCPAY_API_KEY: 'btcpay-key-3e7d21',
  BTCPAY_PAYOUT_KEY: 'btcpay-payout-key-5f10',
  BTCPAY_WEBHOOK_SECRET: 'btcpay-webhook-secret-0a',
  BTCPAY_WEBHOOK_SECRET_PREVIOUS: 'btcpay-webhook-secret-of-before-7c',
  NOWPAYMENTS_API_KEY: 'nowpayments-key-77f0',
  NOWPAYMENTS_IPN_SECRET: 'nowpayments-ipn-secret-1d',
  NOWPAYMENTS_IPN_SECRET_PREVIOUS: 'nowpayments-ipn-secret-of-before-9e',
  NOWPAYMENTS_PASSWORD: 'password at nowpayments 3c',
  NOWPAYMENTS_TOTP_SECRET: 'NOWPAYMENTSTOTPA',
  SANDBOX_SECRET_PREVIOUS: 'sandbox-secret-of-before-2b',
  ADMIN_PASSWORD: 'the first admin of all',
  ANCHOR_URL: 'https://anchor.example/heads?token=6b',
};
const databasePassword = 'pw@database#1';
const mailPassword = 'pw-of-the-mail-server';
const tracesPassword = 'pw-of-the-traces';
const env = {
  ...keys,
  LOG_LEVEL: 'trace',
  RATE_LIMIT: '1000000',
  SIGN_IN_LIMIT: '1000000',
  ADMIN_EMAIL: 'first@mail.test',
  BTCPAY_URL: 'https://btcpay.example',
  BTCPAY_STORE_ID: 'AbCdEfGhIjKlMn',
  NOWPAYMENTS_EMAIL: 'payer@example.com',
  DATABASE_URL: `postgresql://tradewind:${encodeURIComponent(databasePassword)}@127.0.0.1:1/tradewind`,
  SMTP_URL: `smtp://mailer:${mailPassword}@127.0.0.1:1`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://tracer:${tracesPassword}@127.0.0.1:1`,
};

const secrets = new Map<string, Set<string>>();
const plant = (name: string, secret: string) => {
  secrets.set(name, (secrets.get(name) ?? new Set()).add(secret));
  return secret;
};
let written = '';
const sink = new Writable({
  write: (chunk, _encoding, done) => {
    written += chunk;
    done();
  },
});
type Line = { msg: string; level: number; requestId?: string; route?: string; status?: number; err?: Described };
type Described = { message: string; code?: string; constraint?: string; stack: string; cause?: Described };
const lines = (): Line[] =>
  written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

let database: Database;
let context: Context;
let http: Http;
let visit: Visit;
let endLive: () => Promise<void>;
const replies: Reply[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  for (const [name, value] of Object.entries(keys)) plant(name, value);
  plant('password of the database', databasePassword);
  plant('password of the mail server', mailPassword);
  plant('password of the traces', tracesPassword);
  const clock = testClock();
  const config = readConfig(env);
  context = { db: database.db, config, now: clock.now, log: openLog(config, sink) };
  await ensureCompany(context);
  await ensureFirstAdmin(context);
  await sql`
    insert into market.clock (feed, seed, step_seconds, at)
    values ('simulated', 'none', 60, ${clock.now()})`.execute(database.db);
  const live = openLive(context);
  http = await createApp(context, { live, ...patient });
  addFaults(http);
  endLive = startLive(context, database, live);
  await http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.fastify.server.address() as AddressInfo;
  visit = browse(`http://127.0.0.1:${port}`, clock);
  const member = await visitAccount(visit);
  await visitMoney(visit, member);
  await visitSupport(visit, member);
});
afterAll(async () => {
  await http.fastify.close();
  await endLive();
  await database.close();
});

function browse(origin: string, clock: Visit['clock']): Visit {
  const ask: Visit['ask'] = async (method, path, { token, body, headers } = {}) => {
    const cookie = plant('cookie', 'session=crumbs-of-a-cookie');
    const reply = await sendApi(origin, path, { method, token, body, headers: { cookie, ...headers } });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.startsWith('application/json');
    const data = isJson ? (JSON.parse(text).data ?? {}) : {};
    const answer = { status: reply.status, requestId: reply.headers.get('x-request-id') ?? '', data, text };
    replies.push(answer);
    return answer;
  };
  const well: Visit['well'] = async (...args) => {
    const reply = await ask(...args);
    expect(reply, args.slice(0, 2).join(' ')).toMatchObject({ status: 200 });
    return reply.data;
  };
  return { origin, context, clock, plant, ask, well };
}

/** What the product does not do: faults that contain the input, in every way an error can. */
function addFaults({ fastify }: Http): void {
  const faults: Record<string, (secret: string) => unknown> = {
    message: (secret) => Promise.reject(new Error(`could not use ${secret}`)),
    cause: (secret) => Promise.reject(new Error('outside', { cause: new Error(`inside ${secret}`) })),
    several: (secret) => Promise.reject(new AggregateError([new Error(secret)], 'all failed')),
    properties: (secret) =>
      Promise.reject(Object.assign(new Error('query failed'), { parameters: [secret], detail: secret })),
    text: (secret) => Promise.reject(`just ${secret}`),
    gone: (secret) => Promise.reject(Object.assign(new Error(`lost at ${secret}`), { code: '57P01' })),
    cast: (secret) => sql`select ${secret}::text::bigint`.execute(database.db),
    unique: (secret) => sql`insert into identity.canary values (${secret}), (${secret})`.execute(database.db),
    ours: () => Promise.reject(new Error(`asked with ${keys.COINGECKO_API_KEY} and ${keys.CCXT_SECRET}`)),
  };
  fastify.post('/api/v1/fault/:kind', async ({ body, params }) => {
    const { password } = body as { password: string };
    await faults[(params as { kind: string }).kind]?.(password);
  });
}

/** Every planted value that is readable in the log, in any encoding. */
const leaks = () =>
  [...secrets].flatMap(([name, values]) =>
    [...values].flatMap((value) =>
      [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), Buffer.from(value).toString('base64')]
        .filter((form) => written.includes(form))
        .map((form) => `${name}: ${form}`),
    ),
  );

test('after a full journey of a member and an operator, none of their or our secrets is in the log', async () => {
  const transport = openEmailTransport(context.config);
  const { sent, unreachable } = await sendDueEmails(context, transport);
  expect([sent, unreachable > 0]).toEqual([0, true]);
  transport?.close();
  expect(lines().length).toBeGreaterThan(30);
  expect(lines().map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      'sign-in refused',
      'operator sign-in refused',
      'two-factor code refused',
      'email postponed',
    ]),
  );
  expect(leaks()).toEqual([]);
});

test('refused input is not in the log either: bodies, paths, queries, headers and invalid HTTP', async () => {
  const { ask, origin } = visit;
  const value = plant('refused value', 'canary-in-a-refusal');
  const statuses = [
    await ask('POST', 'auth/login', { body: { loginId: value, password: value, surplus: value } }),
    await ask('POST', 'auth/login', { body: `{"loginId":"${value}"` }),
    await ask('POST', 'auth/login', { body: { loginId: 5, password: value } }),
    await ask('GET', `auth/get-refer?referralCode=${value}&password=${value}`),
    await ask('GET', `auth/me?accessToken=${value}`, { token: value.repeat(2) }),
    await ask('GET', `${value}/${value}`),
    await ask('GET', `/?accessToken=${value}`),
    await ask('POST', 'auth/login', { body: value, headers: { 'content-type': `text/${value}` } }),
  ].map(({ status }) => status);
  expect(statuses.every((status) => status < 500)).toBe(true);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.end(`GET /${value} HTTP/1.1\r\nHost: x\r\nbad header ${value}\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
  expect(leaks()).toEqual([]);
});

describe('a fault', () => {
  const value = plant('value in a fault', 'canary-in-a-fault "quoted"');

  test.each([
    ['message', 500, { message: 'could not use [hidden]' }],
    ['cause', 500, { message: 'outside', cause: { message: 'inside [hidden]' } }],
    ['several', 500, { message: 'all failed', errors: [{ message: '[hidden]' }] }],
    ['properties', 500, { message: 'query failed' }],
    ['text', 500, 'just [hidden]'],
    ['gone', 503, { message: 'lost at [hidden]', code: '57P01' }],
    ['cast', 500, { message: expect.stringContaining('invalid input syntax for type bigint'), code: '22P02' }],
    ['unique', 500, { code: '23505', constraint: 'canary_pkey' }],
    ['ours', 500, { message: 'asked with [hidden] and [hidden]' }],
  ])('with a secret in its %s is logged without it, under the id in the response', async (kind, status, err) => {
    if (kind === 'unique') await sql`create table identity.canary (word text primary key)`.execute(database.db);
    const reply = await visit.ask('POST', `fault/${kind}`, { body: { password: value } });
    expect(reply).toMatchObject({ status, data: {} });
    expect(JSON.stringify(reply)).not.toContain('canary');
    const line = lines().find(({ requestId, level }) => requestId === reply.requestId && level >= 40);
    expect(line).toMatchObject({ err });
    if (line?.err?.stack !== undefined) expect(line.err.stack).toMatch(/^ {4}at .*logs\.pg\.test\.ts|^ {4}at /);
    expect(leaks()).toEqual([]);
  });

  test('in a job logs neither the value that the database could not read nor a key of ours', async () => {
    // Short enough to be quoted whole.
    const short = plant('short value in a fault', 'canary 7');
    const faults = [
      () => sql`select ${value}::text::bigint`.execute(database.db),
      async () => JSON.parse(`{"a": ${short}}`),
      async () => Promise.reject(new Error(`refused: ${Object.values(env).join(' ')} of ${databasePassword}`)),
    ];
    for (const [index, fault] of faults.entries()) {
      const stop = startLoop(context, { name: `fault ${index}`, pauseMs: 1, round: fault });
      await expect.poll(() => written).toContain(`"loop":"fault ${index}"`);
      await stop();
    }
    expect(leaks()).toEqual([]);
  });
});

test('every request has one line, with its id, route pattern and caller', async () => {
  const me = lines().find(({ route }) => route === '/api/v1/auth/me');
  expect(me).toMatchObject({ msg: 'answered', status: 200, method: 'GET', memberId: expect.stringMatching(/^\d+$/) });
  expect(lines().find(({ route }) => route?.endsWith('/approve'))).toMatchObject({
    route: '/api/v1/operator/withdrawals/:id/approve',
    operatorId: expect.stringMatching(/^\d+$/),
  });
  const answered = lines().filter(({ msg }) => msg === 'answered');
  for (const { requestId, status } of replies) {
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answered.filter((line) => line.requestId === requestId)).toMatchObject([{ status }]);
  }
  for (const line of written.trimEnd().split('\n')) expect(line.match(/"requestId"/g)?.length ?? 0).toBeLessThan(2);
});

test('the request’s line names a caller who was not allowed', async () => {
  const { memberId, token } = await signUp(context, { email: 'curious@example.com' });
  const { requestId } = await visit.ask('GET', 'operator/audit', { token });
  expect(lines().find((line) => line.requestId === requestId)).toMatchObject({
    msg: 'answered',
    status: 403,
    memberId: String(memberId),
  });
});

test('log lines of an operation have the id of its request', () => {
  const ids = replies.map(({ requestId }) => requestId);
  const refused = lines().filter(({ msg }) => msg.endsWith('refused'));
  expect(refused.length).toBeGreaterThan(3);
  for (const { requestId } of refused) expect(ids).toContain(requestId);
});

test('health checks are logged at debug level only', async () => {
  await visit.ask('GET', '/readyz');
  expect(lines().findLast(({ route }) => route === '/readyz')).toMatchObject({ level: 20, status: 200 });
});
