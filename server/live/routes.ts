import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { livePath } from '#contract/live/live-rules.ts';
import { closeBroken, type Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import type { Guest } from './guest.ts';
import type { Line } from './listener.ts';
import type { Live } from './open-live.ts';

/** `WS /api/v1/live`. The sign-in is checked with the first message, so that no token stands in an address. */
export function mountLive(http: Http, live: Live): void {
  const { publicUrl } = http.context.config;
  const welcome = welcomeTo(live, http.fastify.log);
  http.fastify.route({
    method: 'GET',
    url: livePath,
    schema: { hide: true },
    onRequest: async (request) => refuseForeignPage(request, publicUrl),
    handler: async () => {
      throw new Refused('not_found');
    },
    wsHandler: welcome,
  });
}

/**
 * A page of somebody else has no token to say, and yet has no business here. Programs that are no browsers send no origin.
 */
function refuseForeignPage(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  if (![request.host, ...own].includes(from)) throw new Refused('not_allowed');
}

/** What is heard from sockets goes to their guests by way of the same functions: one each would be much for so many. */
function welcomeTo(live: Live, log: FastifyBaseLogger): (socket: WebSocket) => void {
  const guests = new Map<WebSocket, Guest>();
  const hear = function (this: WebSocket, data: { toString(): string }, isBinary: boolean) {
    guests.get(this)?.hear(isBinary ? '' : data.toString());
  };
  const answer = function (this: WebSocket) {
    guests.get(this)?.answer();
  };
  const leave = function (this: WebSocket) {
    guests.get(this)?.leave();
    guests.delete(this);
  };
  const end = function (this: WebSocket, error: unknown) {
    closeBroken(this, log, error);
  };
  return (socket) => {
    forgetRequest(socket);
    // Instead of that of all sockets (server.ts), which names the request. Taken out by itself, it would leave a table
    // behind that is ten times as large as what is in it.
    const leaving = socket.listeners('close') as (() => void)[];
    socket.removeAllListeners();
    for (const listener of leaving) socket.on('close', listener);
    socket.on('error', end).on('message', hear).on('pong', answer).on('close', leave);
    guests.set(socket, live.meet(new SocketLine(socket)));
  };
}

class SocketLine implements Line {
  readonly #socket: WebSocket;
  readonly #connection: Socket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#connection = connectionOf(socket);
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  send(text: string): void {
    this.#socket.send(text, { binary: false });
  }

  /** Past the socket, which would frame it anew for each: nothing is compressed or sent in parts, so whole frames stay whole. */
  write(frame: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#connection.write(frame);
  }

  ping(): void {
    this.#socket.ping();
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}

const connectionOf = (socket: WebSocket) => (socket as unknown as { readonly _socket: Socket })._socket;

/**
 * A connection that was upgraded keeps its request, the answer that nobody gives and whatever they hold for as long as it
 * is open: most of the memory of a quiet socket.
 */
function forgetRequest(socket: WebSocket): void {
  const connection = connectionOf(socket) as Socket & {
    _httpMessage?: ServerResponse | null;
    [timer: symbol]: unknown;
  };
  connection._httpMessage?.detachSocket(connection);
  // Its timer as well, which was cleared with the upgrade.
  const timer = Object.getOwnPropertySymbols(connection).find(({ description }) => description === 'timeout');
  if (timer !== undefined) connection[timer] = null;
}
