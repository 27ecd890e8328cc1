import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import type { Caller } from '#server/caller.ts';
import { refusal } from '#test/worlds/app.ts';
import { listenAt, openHttp } from './http-world.test-setup.ts';
import { mount } from './mount.ts';

const call = {
  method: 'POST',
  access: 'member',
  summary: '',
  body: z.strictObject({ text: z.string() }),
  data: z.strictObject({ length: z.number() }),
  refusals: [],
} as const;
const rows = {
  send: endpoint({ ...call, path: '/test/send', largeBody: true }),
  say: endpoint({ ...call, path: '/test/say' }),
};

const tokenOf = (memberId: number) => `member-token-${String(memberId).padStart(10, '0')}`;
const KB = 1024;
const MB = 1024 * KB;

const members = new Map(
  Array.from({ length: 20 }, (_, index): [string, Caller] => [
    tokenOf(index + 1),
    { kind: 'member', memberId: BigInt(index + 1), authSessionId: 1n },
  ]),
);
const length = async (call: { body: { text: string } }) => ({ length: call.body.text.length });
const { http } = await openHttp((http) => mount(http, rows, { send: length, say: length }), {
  findCaller: async (token) => members.get(token),
});
const port = await listenAt(http);

async function send(memberId: number, characters: number, url = '/api/v1/test/send') {
  const reply = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(memberId)}` },
    body: JSON.stringify({ text: 'x'.repeat(characters) }),
  });
  return { status: reply.status, body: await reply.json(), headers: reply.headers };
}

/** Sends the head of a request and the given part of its body, and omits the rest. */
async function begin(head: Record<string, string>, part = '') {
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...head });
  socket.write(`POST /api/v1/test/send HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n${part}`);
  return socket;
}

const bearer = (memberId: number) => ({ authorization: `Bearer ${tokenOf(memberId)}` });

describe('size', () => {
  test('a row for large bodies accepts 20 MB, no other does', async () => {
    expect(await send(1, 20 * MB)).toMatchObject({ status: 200, body: { data: { length: 20 * MB } } });
    expect((await send(1, 65 * KB, '/api/v1/test/say')).body.code).toBe('body_too_large');
    expect((await send(1, 60 * KB, '/api/v1/test/say')).status).toBe(200);
  });

  test('more than 24 MB is too large for it, too', async () => {
    expect(await send(1, 24 * MB)).toMatchObject(refusal(413, 'body_too_large'));
  });

  test('a large body is parsed as strictly as a small one', async () => {
    const reply = await http.fastify.inject({
      method: 'POST',
      url: '/api/v1/test/send',
      headers: { 'content-type': 'application/json', ...bearer(1) },
      payload: `{"text":"${'x'.repeat(MB)}","text":"y"}`,
    });
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'unreadable_body']);
  });

  test('an unauthenticated caller is refused before any byte of the body', async () => {
    const socket = await begin({ 'content-length': String(20 * MB), authorization: `Bearer ${'x'.repeat(43)}` });
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});

/** On a busy machine it takes a while until a request has started, or its end is noticed. */
const PATIENCE_MS = 30_000;

describe('concurrent large bodies', () => {
  test('at most four run, of four callers; the next one is asked to retry, and small ones need no slot', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(MB) });
    const head = { 'content-length': String(text.length) };
    const four = await Promise.all([1, 2, 3, 4].map((memberId) => begin({ ...bearer(memberId), ...head })));
    await vi.waitFor(async () => {
      const fifth = await send(5, MB);
      expect(fifth).toMatchObject({ status: 503, body: { code: 'not_ready' } });
      expect(fifth.headers.get('retry-after')).toBe('2');
    }, PATIENCE_MS);
    expect((await send(5, 10 * KB)).status).toBe(200);

    for (const socket of four) socket.write(text);
    const replies = await Promise.all(four.map(async (socket) => String((await once(socket, 'data'))[0])));
    expect(replies.map((reply) => reply.slice(0, 12))).toEqual(Array(4).fill('HTTP/1.1 200'));
    await vi.waitFor(async () => expect((await send(5, MB)).status).toBe(200), PATIENCE_MS);
    for (const socket of four) socket.destroy();
  });

  test('one per caller: a second one is asked to retry', async () => {
    const first = await begin({ ...bearer(1), 'content-length': String(MB) }, '{"text":"');
    await vi.waitFor(async () => expect((await send(1, MB)).status).toBe(503), PATIENCE_MS);
    expect((await send(2, MB)).status).toBe(200);
    first.destroy();
    await vi.waitFor(async () => expect((await send(1, MB)).status).toBe(200), PATIENCE_MS);
  });

  test('an aborted upload frees its slot, whether or not its length was declared', async () => {
    const said = { 'content-length': String(MB) };
    const unsaid = { 'transfer-encoding': 'chunked' };
    const sockets = await Promise.all(
      [11, 12, 13, 14].map((memberId) => begin({ ...bearer(memberId), ...(memberId % 2 === 0 ? said : unsaid) })),
    );
    await vi.waitFor(async () => expect((await send(15, MB)).status).toBe(503), PATIENCE_MS);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await send(15, MB)).status).toBe(200), PATIENCE_MS);
    await vi.waitFor(async () => {
      const all = await Promise.all([11, 12, 13, 14].map((memberId) => send(memberId, MB)));
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }, PATIENCE_MS);
  });
});
