import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { listValues } from '#server/db/rows.ts';
import type { Http } from '#server/http/server.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { askOf } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { checkBooks } from './faults/books.ts';

type Lost = 'the answer' | 'the statement' | 'the connection';

/** A proxy between the server and PostgreSQL: from the first message containing `when` on, it loses what is set. */
let loses: { readonly when: string; readonly what: Lost } | undefined;
let proxy: Server;
let world: Awaited<ReturnType<typeof bootRecorded>>;

beforeAll(async () => {
  world = await bootRecorded();
  const target = new URL(world.database.pool?.options.connectionString as string);
  proxy = createServer((near) => pass(near, dial(Number(target.port), target.hostname)));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy.close();
  await world.close();
});

function pass(near: Socket, far: Socket): void {
  let lost: Lost | undefined;
  for (const socket of [near, far]) socket.on('error', () => {});
  near
    .on('close', () => far.destroy())
    .on('data', (bytes) => {
      if (loses !== undefined && bytes.includes(loses.when)) lost = loses.what;
      if (lost !== 'the statement') far.write(bytes);
    });
  far
    .on('close', () => near.destroy())
    .on('data', (bytes) => {
      if (lost === undefined) near.write(bytes);
      else if (lost === 'the connection') near.destroy();
    });
}

let http: Http;
let member: { readonly memberId: bigint; readonly token: string };

/** The server, with its own connections through the proxy and short limits. */
beforeEach(async () => {
  loses = undefined;
  const url = new URL(world.database.pool?.options.connectionString as string);
  url.port = String((proxy.address() as AddressInfo).port);
  const database: Database = await connect(readConfig({ DATABASE_URL: url.href, DATABASE_STATEMENT_MS: '300' }));
  const { db, reserved } = database;
  http = await createApp({ ...world.context, db, reserved });
  onTestFinished(async () => {
    await http.fastify.close();
    await database.close();
  });
  member = await signUp(world.context, { email: `${crypto.randomUUID()}@example.com` });
  await giveFunds(world.context, member.memberId, 1_000_000_000n);
});

async function ask(path: string, key: string, sent?: object) {
  const options = { token: member.token, body: sent, headers: { 'idempotency-key': key } };
  const { status, body, headers } = await askOf(http.fastify)('POST', `trading/${path}`, options);
  return { status, code: body.code, data: body.data, retryAfter: headers['retry-after'] };
}

const place = (key: string) => ask('do-trade', key, { tradeId: 'btc', amount: 5, wallet_type: 'primary' });

const listStates = () => listValues(world.context.db)<string>`
    select state from trading.trade where member_id = ${member.memberId} order by id`;

const unknown = { status: 503, code: 'outcome_unknown', retryAfter: '1' };

test.each<{ what: Lost; done: string[] }>([
  { what: 'the answer', done: ['cancelled'] },
  { what: 'the connection', done: ['cancelled'] },
  { what: 'the statement', done: ['queued'] },
])('when $what of a COMMIT is lost the outcome is unknown, and the same key reveals it', async ({ what, done }) => {
  const { data: trade } = await place(crypto.randomUUID());
  const key = crypto.randomUUID();
  loses = { when: 'commit', what };
  expect(await ask(`${trade.id}/cancel`, key)).toMatchObject(unknown);
  await expect.poll(listStates).toEqual(done);

  loses = undefined;
  await expect.poll(() => ask(`${trade.id}/cancel`, key)).toMatchObject({ status: 200, data: { state: 'cancelled' } });
  expect(await listStates()).toEqual(['cancelled']);
  expect(await checkBooks(world.context.db)).toEqual([]);
});

test.each<{ what: Lost; done: string[] }>([
  { what: 'the answer', done: ['queued'] },
  { what: 'the connection', done: ['queued'] },
  { what: 'the statement', done: [] },
])(
  'when $what of a trade, which is one statement, is lost the outcome is unknown, and the same key reveals it',
  async ({ what, done }) => {
    const key = crypto.randomUUID();
    loses = { when: 'claimed as materialized', what };
    expect(await place(key)).toMatchObject(unknown);
    await expect.poll(listStates).toEqual(done);

    loses = undefined;
    const first = await place(key);
    expect(first).toMatchObject({ status: 200, data: { state: 'queued' } });
    expect(await place(key)).toEqual(first);
    expect(await listStates()).toEqual(['queued']);
    expect(await checkBooks(world.context.db)).toEqual([]);
  },
);

test('the outcome of a read is never unknown, and work lost before COMMIT was not done', async () => {
  const { data: trade } = await place(crypto.randomUUID());
  loses = { when: 'commit', what: 'the answer' };
  const read = await askOf(http.fastify)('GET', `trading/${trade.id}`, { token: member.token });
  expect(read.body).toMatchObject({ code: 'not_ready' });
  loses = { when: 'http.idempotency', what: 'the answer' };
  expect(await ask(`${trade.id}/cancel`, crypto.randomUUID())).toMatchObject({ status: 503, code: 'not_ready' });
  expect(await listStates()).toEqual(['queued']);
});
