import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint, id } from '#contract/endpoint.ts';
import { patient } from '#test/worlds/app.ts';
import { mountHealth } from './health.ts';
import { listenAt, openHttp } from './http-world.test-setup.ts';
import { asFile, mount } from './mount.ts';
import { createHttp } from './server.ts';

const open = { method: 'GET', access: 'public', summary: '' } as const;
const send = endpoint({ ...open, path: '/test/send' });
const file = endpoint({ ...open, path: '/test/file', file: 'text/csv' });
const cancel = endpoint({
  ...open,
  method: 'POST',
  path: '/test/:id/cancel',
  params: z.strictObject({ id }),
  body: z.strictObject({ note: z.string() }),
});
let sent = 0;
const notes: string[] = [];

const { http, context } = await openHttp((http) => {
  mountHealth(http);
  mount(
    http,
    { send, cancel },
    {
      send: async () => {
        sent += 1;
        return null;
      },
      cancel: async ({ body }) => {
        notes.push(body.note);
        return null;
      },
    },
  );
});
const port = await listenAt(http);

/** Sends lines as they are, and reads until the connection ends. */
async function speak(...lines: readonly string[]) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    requestId: /^x-request-id: (.*)$/im.exec(head)?.[1],
    body,
    code: body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined,
  };
}

const ID = /^[0-9a-f-]{36}$/;
const GET = 'GET /api/v1/test/send HTTP/1.1';

test.each([
  ['a path that cannot be decoded', ['POST /api/v1/test/%ff/cancel HTTP/1.1', 'Host: x'], 400, 'unreadable_body'],
  ['such a path outside the API', ['GET /%ff HTTP/1.1', 'Host: x'], 400, 'unreadable_body'],
  ['two hosts', [GET, 'Host: x', 'Host: y'], 400, 'unreadable_body'],
  ['no host', [GET], 400, 'unreadable_body'],
  ['two tokens', [GET, 'Host: x', 'Authorization: Bearer a', 'authorization: Bearer b'], 400, 'unreadable_body'],
  ['no HTTP', ['hello'], 400, 'unreadable_body'],
  ['an unknown method', ['BREW / HTTP/1.1', 'Host: x'], 400, 'unreadable_body'],
  ['two lengths', [GET, 'Host: x', 'Content-Length: 1', 'Content-Length: 2'], 400, 'unreadable_body'],
  ['headers of 20 kB', [GET, 'Host: x', `X-Long: ${'x'.repeat(20_000)}`], 431, 'headers_too_large'],
  ['a method that no route has', ['MKCOL / HTTP/1.1', 'Host: x', 'Connection: close'], 404, 'not_found'],
])('%s: refused in the standard form, with a request id, and nothing is done', async (_name, lines, status, code) => {
  const before = sent;
  const reply = await speak(...lines);
  expect(reply).toMatchObject({ status, code });
  expect(reply.requestId).toMatch(ID);
  expect(sent).toBe(before);
});

test('an unknown expectation does not keep a request from its response', async () => {
  const reply = await speak('GET /healthz HTTP/1.1', 'Host: x', 'Expect: tea', 'Connection: close');
  expect(reply).toMatchObject({ status: 200, body: '{"status":"ok"}' });
});

test('an invalid id of any length is named as a field', async () => {
  for (const length of [101, 5000]) {
    const reply = await http.fastify.inject({
      method: 'POST',
      url: `/api/v1/test/${'9'.repeat(length)}/cancel`,
      payload: { note: 'a' },
    });
    expect([reply.statusCode, reply.json().validation_results]).toEqual([
      422,
      [{ field: 'id', message: 'Not an id.' }],
    ]);
    expect(reply.headers['x-request-id']).toMatch(ID);
  }
});

test('an undecodable path is rate limited, and is not repeated in the response', async () => {
  const reply = await http.fastify.inject('/api/v1/test/%ff');
  expect(reply.statusCode).toBe(400);
  expect(reply.body).not.toContain('%ff');
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-ratelimit-limit': '1200' });
});

test('HEAD never acts: calls do not support it, probes do', async () => {
  const before = sent;
  const reply = await http.fastify.inject({ method: 'HEAD', url: '/api/v1/test/send' });
  expect([reply.statusCode, reply.body, sent]).toEqual([404, '', before]);
  expect((await http.fastify.inject({ method: 'HEAD', url: '/healthz' })).statusCode).toBe(200);
});

test.each([
  ['utf-8', 200],
  ['UTF8', 200],
  ['"utf-8"', 200],
  ['latin1', 415],
  ['utf-16', 415],
  ['utf-8; charset=latin1', 415],
])('JSON in charset %s is %i', async (charset, status) => {
  const before = notes.length;
  const reply = await http.fastify.inject({
    method: 'POST',
    url: '/api/v1/test/5/cancel',
    headers: { 'content-type': `application/json; charset=${charset}` },
    payload: '{"note":"é"}',
  });
  expect(reply.statusCode).toBe(status);
  expect(notes.slice(before)).toEqual(status === 200 ? ['é'] : []);
  if (status !== 200) expect(reply.json().code).toBe('not_json');
});

test('what arrives on a connection while the server closes is refused in the standard form, with a retry', async () => {
  const closing = await createHttp(context, async () => undefined, patient);
  const release = Promise.withResolvers<void>();
  const isClosing = Promise.withResolvers<void>();
  async function* lines() {
    yield 'a\r\n';
    await release.promise;
    yield 'b\r\n';
  }
  mount(closing, { file }, { file: async () => asFile({ name: 'a.csv', text: lines() }) });
  closing.fastify.addHook('preClose', (done) => {
    isClosing.resolve();
    done();
  });
  const socket = connect(await listenAt(closing), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const request = 'GET /api/v1/test/file HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(request);
  await expect.poll(() => text).toContain('a\r\n');
  const ended = closing.fastify.close();
  await isClosing.promise;
  const arrived = once(closing.fastify.server, 'request');
  socket.write(request);
  await arrived;
  release.resolve();
  await once(socket, 'close');
  await ended;
  expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
  expect(text).toContain('"code":"not_ready"');
  expect(text.match(/^retry-after: 1\r$/gim)).toHaveLength(1);
});
