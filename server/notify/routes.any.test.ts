import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { Caller } from '#server/http/mount.ts';
import { createHttp, type Http } from '#server/http/server.ts';
import { patient } from '#test/app.ts';
import { testContext } from '#test/builders.ts';
import { openTestDatabase } from '#test/database.ts';
import { mountNotify, notifyMembers } from './index.ts';

const anna: Caller = { kind: 'member', memberId: 1n, authSessionId: 1n };
const bert: Caller = { kind: 'member', memberId: 2n, authSessionId: 2n };
const admin: Caller = { kind: 'operator', operatorId: 1n, role: 'admin', authSessionId: 3n, hasSecondFactor: true };
const callers = new Map<string, Caller>([
  ['token-of-anna-0000000', anna],
  ['token-of-bert-0000000', bert],
  ['token-of-admin-000000', admin],
]);

let database: Database;
let http: Http;
beforeAll(async () => {
  database = await openTestDatabase();
  const context = testContext(database);
  http = await createHttp(context, async (token) => callers.get(token), patient);
  mountNotify(http, context);
  await http.fastify.ready();
  await inTransaction(database.db, (tx) =>
    notifyMembers(tx, [
      { memberId: 1n, kind: 'test', message: 'first of Anna' },
      { memberId: 2n, kind: 'test', message: 'first of Bert' },
      { memberId: 1n, kind: 'test', message: 'second of Anna' },
    ]),
  );
});
afterAll(async () => {
  await http.fastify.close();
  await database.close();
});

async function ask(method: 'GET' | 'POST', path: string, token?: string, body?: unknown) {
  const reply = await http.fastify.inject({
    method,
    url: `/api/v1/${path}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: reply.statusCode, body: reply.json() };
}

test('a member lists and reads their notifications', async () => {
  const { status, body } = await ask('GET', 'notification?limit=1', 'token-of-anna-0000000');
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ unread: 2, items: [{ message: 'second of Anna', read: false }] });
  expect(body.data.items[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  const next = await ask('GET', `notification?cursor=${body.data.next_cursor}`, 'token-of-anna-0000000');
  expect(next.body.data).toMatchObject({ next_cursor: null, items: [{ message: 'first of Anna' }] });

  const read = await ask('POST', 'notification/read', 'token-of-anna-0000000', { up_to: body.data.items[0].id });
  expect(read).toMatchObject({ status: 200, body: { data: { unread: 0 } } });
  const all = await ask('GET', 'notification', 'token-of-anna-0000000');
  expect(all.body.data.items.map((item: { read: boolean }) => item.read)).toEqual([true, true]);
});

test('the notifications of another member are neither shown nor read', async () => {
  const far = '999999999999999999';
  const before = await ask('GET', 'notification', 'token-of-bert-0000000');
  await ask('POST', 'notification/read', 'token-of-anna-0000000', { up_to: far });
  const after = await ask('GET', 'notification', 'token-of-bert-0000000');
  expect(before.body).toEqual(after.body);
  expect(after.body.data).toMatchObject({ unread: 1, items: [{ message: 'first of Bert' }] });
});

test.each([
  ['GET', 'notification', undefined],
  ['POST', 'notification/read', { up_to: '1' }],
] as const)('%s %s wants a signed-in member', async (method, path, body) => {
  expect(await ask(method, path, undefined, body)).toMatchObject({ status: 401, body: { code: 'session_required' } });
  expect(await ask(method, path, 'token-of-nobody-00000', body)).toMatchObject({ status: 401 });
  expect(await ask(method, path, 'token-of-admin-000000', body)).toMatchObject({
    status: 403,
    body: { code: 'not_allowed' },
  });
});

test.each([
  ['GET', 'notification?limit=0', undefined, 'limit'],
  ['GET', 'notification?limit=101', undefined, 'limit'],
  ['GET', 'notification?cursor=abc', undefined, 'cursor'],
  ['GET', 'notification?cursor=99999999999999999999', undefined, 'cursor'],
  ['POST', 'notification/read', {}, 'up_to'],
  ['POST', 'notification/read', { up_to: 1 }, 'up_to'],
  ['POST', 'notification/read', { up_to: '0' }, 'up_to'],
  ['POST', 'notification/read', { up_to: '1', more: 1 }, 'more'],
] as const)('%s %s %j is refused and names the field', async (method, path, body, field) => {
  const reply = await ask(method, path, 'token-of-anna-0000000', body);
  expect(reply).toMatchObject({ status: 422, body: { code: 'validation', validation_results: [{ field }] } });
});
