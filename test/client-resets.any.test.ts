import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { Http, NoteAnswer } from '#server/http/server.ts';
import { openLog } from '#server/telemetry/open-log.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { signUp } from '#test/worlds/members.ts';

type Line = { readonly level: number; readonly msg: string };
const WARN = 40;

let booted: Awaited<ReturnType<typeof bootWithoutMarket>>;
let http: Http;
let port: number;
let token: string;
let lines: Line[] = [];
let answers: Parameters<NoteAnswer>[0][] = [];
/** Ends the wait of the call that hangs. */
let release: (() => void) | undefined;

beforeAll(async () => {
  booted = await bootWithoutMarket('2026-03-04T12:00:00Z');
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      for (const line of String(chunk).trimEnd().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  const log = openLog(readConfig({ LOG_LEVEL: 'trace' }), sink);
  http = await createApp({ ...booted.context, log }, { noteAnswer: (answer) => answers.push(answer) });
  http.fastify.get('/hangs', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return 'done';
  });
  http.fastify.get('/listens', async ({ raw }) => {
    release = () => {};
    await once(raw, 'end-of-nothing');
  });
  http.fastify.get('/endless', (_request, reply) =>
    reply.type('text/csv').send(
      Readable.from(
        (async function* () {
          for (;;) yield 'a line of a statement\n'.repeat(1000);
        })(),
      ),
    ),
  );
  await http.fastify.listen({ port: 0, host: '127.0.0.1' });
  port = (http.fastify.server.address() as AddressInfo).port;
  token = (await signUp(booted.context)).token;
});
afterAll(async () => {
  await http.fastify.close();
  await booted.database.close();
});
beforeEach(() => {
  lines = [];
  answers = [];
  release = undefined;
});

const open = async (text: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};
const head = (line: string, ...headers: string[]) =>
  [line, 'host: tradewind.test', `authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
/** Until the server has dropped the connection and logged it. */
const dropped = async () => {
  await expect.poll(openConnections).toBe(0);
  await http.fastify.inject('/healthz');
};
const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    http.fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** Disconnects that phones cause all day. */
const ways: Record<string, () => Promise<void>> = {
  'in the middle of a body': async () => {
    const json = 'content-type: application/json';
    const socket = await open(`${head('POST /api/v1/trading/place HTTP/1.1', json, 'content-length: 500')}{"tradeId":`);
    socket.resetAndDestroy();
    await dropped();
  },
  'in the middle of a body sent in chunks': async () => {
    const headers = ['content-type: application/json', 'transfer-encoding: chunked'];
    const socket = await open(`${head('POST /api/v1/trading/place HTTP/1.1', ...headers)}5\r\n{"tra\r\n`);
    socket.resetAndDestroy();
    await dropped();
  },
  'while the response is computed': async () => {
    const socket = await open(head('GET /hangs HTTP/1.1'));
    await expect.poll(() => release).toBeDefined();
    socket.resetAndDestroy();
    await once(socket, 'close');
    release?.();
    await dropped();
  },
  'noticed by the call itself': async () => {
    const socket = await open(head('GET /listens HTTP/1.1'));
    await expect.poll(() => release).toBeDefined();
    socket.resetAndDestroy();
    await dropped();
  },
  'in the middle of a file': async () => {
    const socket = await open(head('GET /endless HTTP/1.1'));
    await once(socket, 'data');
    socket.resetAndDestroy();
    await dropped();
  },
};

test.each(Object.entries(ways))('a connection that is reset %s is no error and no alert', async (_, reset) => {
  await reset();
  expect(lines.filter(({ level }) => level >= WARN)).toEqual([]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});
