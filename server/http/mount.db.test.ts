import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint, id } from '#contract/endpoint.ts';
import { moneyAmount } from '#contract/fields.ts';
import type { Caller } from '#server/caller.ts';
import { runOnce } from '../db/tx.ts';
import { Refused } from '../refused.ts';
import { openHttp } from './http-world.test-setup.ts';
import { asDownload, asFile, mount, withMessage } from './mount.ts';

const open = { method: 'GET', access: 'public', summary: '' } as const;
const rows = {
  pay: endpoint({
    method: 'POST',
    path: '/test/pay',
    access: 'member',
    summary: 'Counts how often it really ran',
    body: z.strictObject({ amount: moneyAmount, note: z.string().max(5).optional() }),
    data: z.strictObject({ run: z.number(), amount: z.number() }),
    refusals: ['insufficient_funds'],
    idempotent: true,
  }),
  item: endpoint({
    ...open,
    path: '/test/item/:id',
    params: z.strictObject({ id }),
    data: z.strictObject({ id: z.string() }),
  }),
  /** Answers with a field its row does not declare. */
  leak: endpoint({ ...open, path: '/test/leak', data: z.strictObject({ id: z.string() }) }),
  broken: endpoint({ ...open, path: '/test/broken' }),
  list: endpoint({
    ...open,
    path: '/test/list',
    query: z.strictObject({ format: z.enum(['json', 'csv']).optional(), broken: z.literal('yes').optional() }),
    data: z.strictObject({ rows: z.number() }),
    file: 'text/csv',
  }),
  download: endpoint({ ...open, path: '/test/download', file: 'application/octet-stream' }),
  office: endpoint({ ...open, path: '/test/office', access: ['finance'] }),
  formed: endpoint({
    ...open,
    path: '/test/formed',
    query: z.discriminatedUnion('by', [
      z.strictObject({ by: z.literal('day'), day: z.string() }),
      z.strictObject({ by: z.literal('id'), id }),
    ]),
  }),
};

const operator = { kind: 'operator', operatorId: 7n, hasSecondFactor: true, authSessionId: 3n } as const;
const callers: Record<string, Caller> = {
  'member-token-aaaaaaaaaa': { kind: 'member', memberId: 7n, authSessionId: 1n },
  'other-member-token-aaaa': { kind: 'member', memberId: 8n, authSessionId: 2n },
  'support-token-aaaaaaaaa': { ...operator, role: 'support' },
  'finance-token-aaaaaaaaa': { ...operator, role: 'finance' },
};
const MEMBER = 'member-token-aaaaaaaaaa';

async function* lines(isBroken: boolean): AsyncGenerator<string> {
  yield 'a,b\r\n';
  if (isBroken) throw new Error('secret detail of the database');
  yield '1,2\r\n';
}

let runs = 0;

const { http } = await openHttp(
  (http, context) => {
    mount(http, rows, {
      pay: async (call) =>
        runOnce(context.db, call.once, async () => {
          if (call.body.amount > 100) throw new Refused('insufficient_funds');
          runs += 1;
          return { run: runs, amount: call.body.amount };
        }),
      item: async (call) => withMessage('Here it is.', { id: call.params.id }),
      leak: async () => ({ id: '1', secret: 'x' }) as { id: string },
      broken: async () => {
        throw new Error('secret detail of the database');
      },
      list: async ({ query }) =>
        query.format === 'csv' ? asFile({ name: 'list.csv', text: lines(query.broken === 'yes') }) : { rows: 3 },
      download: async () => asDownload('a "page".html', Buffer.from('<script>alert(1)</script>\0\xff', 'latin1')),
      office: async () => null,
      formed: async () => null,
    });
  },
  { findCaller: async (token) => callers[token] },
);

const pay = (payload: string, headers: Record<string, string> = {}) =>
  http.fastify.inject({
    method: 'POST',
    url: '/api/v1/test/pay',
    payload,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MEMBER}`, ...headers },
  });

test('a row without a handler does not compile', () => {
  // @ts-expect-error formed, office, list, broken, leak and item are missing
  const refuse = () => mount(http, rows, { pay: async () => ({ run: 1, amount: 1 }) });
  expect(refuse).toBeTypeOf('function');
});

test('success has status, data, message and a request id', async () => {
  const reply = await http.fastify.inject('/api/v1/test/item/12');
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual({ status: 'success', message: 'Here it is.', data: { id: '12' } });
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['a string', '{"amount":"100"}', 'amount'],
  ['an array', '{"amount":[100]}', 'amount'],
  ['true', '{"amount":true}', 'amount'],
  ['1e309', '{"amount":1e309}', 'amount'],
  ['-0', '{"amount":-0}', 'amount'],
  ['a negative', '{"amount":-5}', 'amount'],
  ['seven decimals', '{"amount":0.0000001}', 'amount'],
  ['digits that do not fit', '{"amount":5.0000000000000000001}', 'amount'],
  ['nothing', '{}', 'amount'],
  ['an unknown field', '{"amount":1,"role":"admin"}', 'role'],
  ['a long text', '{"amount":1,"note":"123456"}', 'note'],
  ['no object', '5', 'body'],
])('an amount that is %s is a 422 that names the field', async (_name, payload, field) => {
  const before = runs;
  const reply = await pay(payload);
  expect(reply.statusCode).toBe(422);
  expect(reply.json()).toMatchObject({ status: 'error', code: 'validation', validation_results: [{ field }] });
  expect(runs).toBe(before);
});

test.each([
  ['half a document', '{"amount":', 400],
  ['a duplicate key', '{"amount":1,"amount":2}', 400],
  ['__proto__', '{"__proto__":{"amount":1},"amount":1}', 400],
  ['a huge body', `{"note":"${'x'.repeat(70_000)}"}`, 413],
])('%s never reaches the call', async (_name, payload, status) => {
  expect((await pay(payload)).statusCode).toBe(status);
});

test('another content type is a 415', async () => {
  expect((await pay('amount=5', { 'content-type': 'application/x-www-form-urlencoded' })).json()).toMatchObject({
    code: 'not_json',
  });
});

test('a malformed id and an unknown query value are named', async () => {
  expect((await http.fastify.inject('/api/v1/test/item/abc')).json()).toMatchObject({
    validation_results: [{ field: 'id' }],
  });
  expect((await http.fastify.inject('/api/v1/test/item/1?x=1')).json()).toMatchObject({
    validation_results: [{ field: 'x' }],
  });
});

test('unauthenticated callers get 401 before their body is read; other roles get 403', async () => {
  const stranger = await pay('{"amount":"x"}', { authorization: 'Bearer unknown-token-aaaaaaaa' });
  expect([stranger.statusCode, stranger.json().code]).toEqual([401, 'session_required']);
  const office = (token: string) =>
    http.fastify.inject({ url: '/api/v1/test/office', headers: { authorization: `Bearer ${token}` } });
  expect((await office(MEMBER)).statusCode).toBe(403);
  expect((await office('support-token-aaaaaaaaa')).statusCode).toBe(403);
  expect((await office('finance-token-aaaaaaaaa')).statusCode).toBe(200);
});

test('an internal fault reveals nothing', async () => {
  const reply = await http.fastify.inject('/api/v1/test/broken');
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('secret');
  expect(reply.json().code).toBe('internal');
});

test('a reply with a field its row does not declare is a fault, not a leak', async () => {
  const reply = await http.fastify.inject('/api/v1/test/leak');
  expect(reply.statusCode).toBe(500);
  expect(reply.body).not.toContain('secret');
});

test('a call can answer with a file instead, under its name and not as JSON', async () => {
  const reply = await http.fastify.inject('/api/v1/test/list?format=csv');
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="list.csv"',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(reply.body).toBe('a,b\r\n1,2\r\n');
  expect((await http.fastify.inject('/api/v1/test/list')).json()).toEqual({ status: 'success', data: { rows: 3 } });
});

test('a file that fails while it is sent is cut off, never ended as if complete', async () => {
  await expect(http.fastify.inject('/api/v1/test/list?format=csv&broken=yes')).rejects.toThrow('destroyed');
});

test('uploaded bytes are returned unchanged, and no browser renders them, whatever they are', async () => {
  const reply = await http.fastify.inject('/api/v1/test/download');
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="a _page_.html"; filename*=UTF-8''a%20%22page%22.html`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-length': '27',
  });
  expect(reply.rawPayload.toString('latin1')).toBe('<script>alert(1)</script>\0\xff');
});

test('a file that its row does not declare does not compile', () => {
  const file = async () => asFile({ name: 'a.csv', text: lines(false) });
  // @ts-expect-error item answers with data alone
  const refuse = () => mount(http, { item: rows.item }, { item: file });
  // @ts-expect-error text is not sent as bytes
  const refuseText = () => mount(http, { list: rows.list }, { list: async () => asDownload('a.csv', Buffer.from('')) });
  expect([refuse, refuseText].map((mounting) => typeof mounting)).toEqual(['function', 'function']);
});

test('an unknown address is a 404 in the same form', async () => {
  expect((await http.fastify.inject('/api/v1/nothing')).json()).toMatchObject({ status: 'error', code: 'not_found' });
});

test('the same key and body return the first response, without running twice', async () => {
  const first = await pay('{"amount":5}', { 'idempotency-key': 'k1' });
  const before = runs;
  const second = await pay('{"amount":5}', { 'idempotency-key': 'k1' });
  expect(second.json()).toEqual(first.json());
  expect(runs).toBe(before);
});

test('the same key with another body is a mismatch, even where that body is refused anyway', async () => {
  await pay('{"amount":6}', { 'idempotency-key': 'k2' });
  expect((await pay('{"amount":7}', { 'idempotency-key': 'k2' })).json().code).toBe('idempotency_mismatch');
  expect((await pay('{"amount":"7"}', { 'idempotency-key': 'k2' })).json().code).toBe('idempotency_mismatch');
});

test('another member may use the same key', async () => {
  const one = await pay('{"amount":8}', { 'idempotency-key': 'k3' });
  const two = await pay('{"amount":8}', { 'idempotency-key': 'k3', authorization: 'Bearer other-member-token-aaaa' });
  expect(two.json().data.run).toBe(one.json().data.run + 1);
});

test('a refused request does not use up its key, which then belongs to the request that succeeds', async () => {
  const again = (body: string) => pay(body, { 'idempotency-key': 'k4' });
  expect((await again('{"amount":101}')).json().code).toBe('insufficient_funds');
  expect((await again('{"amount":"much"}')).json().code).toBe('validation');
  const done = await again('{"amount":99}');
  expect(done.statusCode).toBe(200);
  const before = runs;
  expect((await again('{"amount":99}')).json()).toEqual(done.json());
  expect((await again('{"amount":101}')).json().code).toBe('idempotency_mismatch');
  expect(runs).toBe(before);
});

test('an invalid key is named', async () => {
  const reply = await pay('{"amount":1}', { 'idempotency-key': 'a b' });
  expect(reply.json()).toMatchObject({
    code: 'validation',
    validation_results: [{ field: 'Idempotency-Key', message: '1 to 100 visible ASCII characters.' }],
  });
});

test.each(['/api/docs/', '/api/docs/static/index.html', '/api/docs/json'])('nothing may frame %s', async (url) => {
  const { statusCode, headers } = await http.fastify.inject(url);
  expect(statusCode).toBeLessThan(400);
  const policy = String(headers['content-security-policy']);
  expect(policy.match(/frame-ancestors[^;]*/g)).toEqual(["frame-ancestors 'none'"]);
  expect(policy).toContain("script-src 'self'");
});

test('OpenAPI is generated from the same rows', async () => {
  const document = (await http.fastify.inject('/api/docs/json')).json();
  expect(document.paths['/api/v1/test/pay'].post.requestBody.content['application/json'].schema.required).toEqual([
    'amount',
  ]);
  const says = (path: string) => document.paths[`/api/v1/test/${path}`].post.description;
  expect(says('pay')).toContain('A refused request does not use up its key');
  expect(Object.keys(document.paths['/api/v1/test/list'].get.responses['200'].content)).toEqual([
    'application/json',
    'text/csv',
  ]);
});

test('OpenAPI has the form of a refusal for each call, and the key of those that take one', async () => {
  const { paths, components } = (await http.fastify.inject('/api/docs/json')).json();
  const json = { schema: { $ref: '#/components/schemas/Refusal' } };
  const described = { description: 'A refusal.', content: { 'application/json': json } };
  type Calls = Record<string, { responses: Record<string, unknown> }>;
  const calls = Object.values<Calls>(paths).flatMap((methods) => Object.values(methods));
  expect(calls.map(({ responses }) => responses.default)).toEqual(calls.map(() => described));
  const isRefusal = (body: unknown) => z.fromJSONSchema(components.schemas.Refusal).safeParse(body).success;
  const refused = (await pay('{"amount":-1}')).json();
  expect(refused.validation_results).toHaveLength(1);
  expect([isRefusal(refused), isRefusal({ ...refused, code: 'no_such_code' })]).toEqual([true, false]);
  expect(paths['/api/v1/test/pay'].post.parameters).toMatchObject([{ in: 'header', name: 'Idempotency-Key' }]);
  expect(paths['/api/v1/test/list'].get.parameters.some((one: { in: string }) => one.in === 'header')).toBe(false);
});

test('OpenAPI requires of a query with several forms only what all of them require', async () => {
  const document = (await http.fastify.inject('/api/docs/json')).json();
  type Parameter = { name: string; required: boolean; schema: object };
  const parameters = document.paths['/api/v1/test/formed'].get.parameters as Parameter[];
  expect(parameters.map(({ name, required }) => [name, required])).toEqual([
    ['by', true],
    ['day', false],
    ['id', false],
  ]);
  expect(parameters[0]?.schema).toMatchObject({ anyOf: [{ enum: ['day'] }, { enum: ['id'] }] });
});
