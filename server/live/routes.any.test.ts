import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { type LiveMessage, liveMessage } from '#contract/live/live.ts';
import { liveCloses, liveHandshakeBytes, liveTopics } from '#contract/live/live-rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { refusal, type TestApp, testApp } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';
import { mountLive, openLive } from './index.ts';

const PATH = '/api/v1/live';

const { context } = closeAfterAll(
  await bootWithoutMarket('2026-03-04T12:00:00Z', { PUBLIC_URL: 'https://members.example' }),
);
const app = closeAfterAll(await testApp(context, (http) => mountLive(http, openLive(context))));
const { token } = await signUp(context);

type Socket = Awaited<ReturnType<TestApp['http']['fastify']['injectWS']>>;

/** Even without a network, a request needs an address: rate limits count by it. */
const open = (headers: Record<string, string> = {}, path = PATH): Promise<Socket> =>
  app.http.fastify.injectWS(path, {
    headers,
    rawHeaders: Object.entries({ host: 'here.example', ...headers }).flat(),
    socket: { remoteAddress: '127.0.0.1' } as IncomingMessage['socket'],
  });

async function firstWords(socket: Socket, count: number): Promise<LiveMessage[]> {
  const words: LiveMessage[] = [];
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      words.push(liveMessage.parse(JSON.parse(data.toString())));
      if (words.length === count) resolve(words);
    });
  });
}

test('a socket that authenticates gets the current state', async () => {
  const socket = await open();
  const words = firstWords(socket, 4);
  socket.send(JSON.stringify({ token, topics: liveTopics }));
  expect((await words).map(({ type }) => type)).toEqual(['ready', 'session', 'prices', 'balance']);
  socket.terminate();
});

test.each([
  ['of the wrong shape', '{}', liveCloses.unreadable],
  ['of bytes', Buffer.from('{}'), liveCloses.unreadable],
  ['that is too long', 'x'.repeat(liveHandshakeBytes + 1), 1009],
])('a first message %s closes the socket', async (_, message, code) => {
  const socket = await open();
  const closed = once(socket, 'close');
  socket.send(message, { binary: typeof message !== 'string' });
  expect((await closed)[0]).toBe(code);
});

test.each([
  ['of the same host', { host: 'here.example', origin: 'http://here.example' }],
  ['of the public address', { host: 'inside:8080', origin: 'https://members.example' }],
])('a page %s may open a socket', async (_, headers) => {
  const socket = await open(headers);
  expect(socket.readyState).toBe(socket.OPEN);
  socket.terminate();
});

test.each([
  ['of another host', 'https://evil.example'],
  ['of another port', 'https://members.example:8443'],
  ['with an opaque origin', 'null'],
])('a page %s may not open a socket', async (_, origin) => {
  await expect(open({ host: 'here.example', origin })).rejects.toThrow('Unexpected server response: 403');
});

test('an ordinary request to the address is refused', async () => {
  expect(await app.ask('GET', PATH)).toMatchObject(refusal(404, 'not_found'));
});

test('no other address accepts a socket', async () => {
  await expect(open({}, '/api/v1/none')).rejects.toThrow('Unexpected server response: 404');
});

test('pages may connect to sockets at the public address', async () => {
  const { headers } = await app.ask('GET', PATH);
  expect(headers['content-security-policy']).toContain("connect-src 'self' wss://members.example;");
});
