import { expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openHttp } from '#server/http/http-world.test-setup.ts';
import { askOf, refusal } from '#test/worlds/app.ts';
import { mountNotify, notifyMembers } from './index.ts';

const memberOf = (memberId: bigint): Caller => ({ kind: 'member', memberId, authSessionId: memberId });
const ANNA = 'token-of-anna-0000000';
const BERT = 'token-of-bert-0000000';
const callers = new Map([
  [ANNA, memberOf(1n)],
  [BERT, memberOf(2n)],
]);

const { http, context } = await openHttp(mountNotify, { findCaller: async (token) => callers.get(token) });
await inTransaction(context.db, (tx) =>
  notifyMembers(tx, [
    { memberId: 1n, kind: 'test', message: 'first of Anna' },
    { memberId: 2n, kind: 'test', message: 'first of Bert' },
    { memberId: 1n, kind: 'test', message: 'second of Anna' },
  ]),
);

const ask = (method: 'GET' | 'POST', path: string, token: string, body?: unknown) =>
  askOf(http.fastify)(method, path, { token, body });

test('a member lists and reads their notifications', async () => {
  const { status, body } = await ask('GET', 'notification?limit=1', ANNA);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ unread: 2, items: [{ message: 'second of Anna', read: false }] });
  expect(body.data.items[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  const next = await ask('GET', `notification?cursor=${body.data.next_cursor}`, ANNA);
  expect(next.body.data).toMatchObject({ next_cursor: null, items: [{ message: 'first of Anna' }] });

  const read = await ask('POST', 'notification/read', ANNA, { up_to: body.data.items[0].id });
  expect(read).toMatchObject({ status: 200, body: { data: { unread: 0 } } });
  const all = await ask('GET', 'notification', ANNA);
  expect(all.body.data.items.map((item: { read: boolean }) => item.read)).toEqual([true, true]);
});

test('another member’s notifications are neither listed nor marked as read', async () => {
  const far = '999999999999999999';
  const before = await ask('GET', 'notification', BERT);
  await ask('POST', 'notification/read', ANNA, { up_to: far });
  const after = await ask('GET', 'notification', BERT);
  expect(before.body).toEqual(after.body);
  expect(after.body.data).toMatchObject({ unread: 1, items: [{ message: 'first of Bert' }] });
});

test.each([
  ['GET', 'notification?limit=101', undefined, 'limit'],
  ['GET', 'notification?cursor=99999999999999999999', undefined, 'cursor'],
  ['POST', 'notification/read', { up_to: '0' }, 'up_to'],
] as const)('%s %s %j is refused and names the field', async (method, path, body, field) => {
  const reply = await ask(method, path, ANNA, body);
  expect(reply).toMatchObject(refusal(422, 'validation', field));
});
