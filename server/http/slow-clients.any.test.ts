import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { patient } from '#test/worlds/app.ts';
import { listenAt, openHttp } from './http-world.test-setup.ts';
import { asFile, mount } from './mount.ts';

const PIECE = 'x'.repeat(64 * 1024);
/** More than the buffers of both ends of a connection hold. */
const PIECES = 2000;
const patience = { headMs: 1000, bodyMs: 1500, silenceMs: 3000, checkMs: 100 };

const rows = {
  export: endpoint({ method: 'GET', access: 'public', summary: '', path: '/test/export', file: 'text/csv' }),
  note: endpoint({
    method: 'POST',
    access: 'public',
    summary: '',
    path: '/test/note',
    body: z.strictObject({ text: z.string() }),
    rawBody: true,
  }),
};

/** Of the last export: how much of it was generated, and whether it has ended. */
let made = 0;
let isOver = false;
let notes = 0;

async function* makeText(): AsyncGenerator<string> {
  made = 0;
  isOver = false;
  try {
    for (; made < PIECES; made += 1) yield PIECE;
  } finally {
    isOver = true;
  }
}

const { http } = await openHttp(
  (http) =>
    mount(http, rows, {
      export: async () => asFile({ name: 'export.csv', text: makeText() }),
      note: async () => {
        notes += 1;
        return null;
      },
    }),
  { options: { ...patient, patience } },
);
const port = await listenAt(http);

/** A connection with a started request. */
async function send(...parts: readonly string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  return socket;
}

const askExport = 'GET /api/v1/test/export HTTP/1.1\r\nHost: here\r\n\r\n';
const beginNote =
  'POST /api/v1/test/note HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    http.fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('of a response that nobody reads only what buffers hold is generated, and its connection is cut', async () => {
  const socket = (await send(askExport)).pause();
  await expect.poll(() => made).toBeGreaterThan(0);
  await expect.poll(() => isOver).toBe(true);
  expect(made).toBeLessThan(PIECES / 4);
  await expect.poll(countConnections).toBe(0);
  // Cut, not ended: the declared length never arrives.
  socket.resume().on('error', () => {});
  await once(socket, 'close');
});

test('a slow reader gets the whole response, and no more of it is generated than they read', async () => {
  const socket = await send(askExport.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  let taken = 0;
  let ahead = 0;
  const began = performance.now();
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    taken += chunk.length;
    ahead = Math.max(ahead, made * PIECE.length - taken);
    // Longer than a client may stay silent.
    if (performance.now() - began < 2 * patience.silenceMs) await wait(20);
  }
  expect(taken).toBeGreaterThan(PIECES * PIECE.length);
  expect(performance.now() - began).toBeGreaterThan(patience.silenceMs);
  expect(ahead).toBeLessThan((PIECES * PIECE.length) / 4);
});

test.each([
  ['head', ['GET /api/v1/test/export HTTP/1.1\r\nHo']],
  ['body', [beginNote, '{"text": "']],
])('a %s that never ends is cut with a 408, and nothing is done', async (_, parts) => {
  const socket = await send(...parts);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  expect(notes).toBe(0);
  await expect.poll(countConnections).toBe(0);
});

test('an occasional byte does not keep a body alive', async () => {
  const socket = await send(beginNote);
  const answer = text(socket);
  const drip = setInterval(() => socket.writable && socket.write('x'), 100);
  onTestFinished(() => clearInterval(drip));
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(notes).toBe(0);
});

test('while a hundred clients are slow, others are answered', async () => {
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) =>
      index % 2 === 0 ? (await send(askExport)).pause() : send(beginNote, '{'),
    ),
  );
  const reply = await fetch(`http://127.0.0.1:${port}/api/docs/json`, { signal: AbortSignal.timeout(5000) });
  expect(reply.status).toBe(200);
  await expect.poll(countConnections).toBeLessThanOrEqual(1);
});
