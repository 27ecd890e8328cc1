import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { livePath } from '#contract/live/live-rules.ts';
import { closeBroken, type Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import type { Connection } from './connection.ts';
import type { LiveSocket } from './listener.ts';
import type { Live } from './open-live.ts';

/** `WS /api/v1/live`. The sign-in is checked with the first message, which keeps the token out of the address. */
export function mountLive(http: Http, live: Live): void {
  const { publicUrl } = http.context.config;
  const connect = connectTo(live, http.fastify.log);
  http.fastify.route({
    method: 'GET',
    url: livePath,
    schema: { hide: true },
    onRequest: async (request) => refuseForeignPage(request, publicUrl),
    handler: async () => {
      throw new Refused('not_found');
    },
    wsHandler: connect,
  });
}

/**
 * Pages of other origins are refused although they have no token. Clients that are not browsers send no origin.
 */
function refuseForeignPage(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  if (![request.host, ...own].includes(from)) throw new Refused('not_allowed');
}

/** All sockets share the same handlers: closures for each would cost memory with thousands of idle sockets. */
function connectTo(live: Live, log: FastifyBaseLogger): (socket: WebSocket) => void {
  const connections = new Map<WebSocket, Connection>();
  const receive = function (this: WebSocket, data: { toString(): string }, isBinary: boolean) {
    connections.get(this)?.receive(isBinary ? '' : data.toString());
  };
  const pong = function (this: WebSocket) {
    connections.get(this)?.pong();
  };
  const disconnect = function (this: WebSocket) {
    connections.get(this)?.disconnect();
    connections.delete(this);
  };
  const end = function (this: WebSocket, error: unknown) {
    closeBroken(this, log, error);
  };
  return (socket) => {
    forgetRequest(socket);
    // Replaces the error handler of all sockets (server.ts), which holds the request. Removing only that one would leave
    // an event table ten times the size of its contents.
    const closing = socket.listeners('close') as (() => void)[];
    socket.removeAllListeners();
    for (const listener of closing) socket.on('close', listener);
    socket.on('error', end).on('message', receive).on('pong', pong).on('close', disconnect);
    connections.set(socket, live.connect(new WebSocketAdapter(socket)));
  };
}

class WebSocketAdapter implements LiveSocket {
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

  /** Bypasses the WebSocket, which would frame the text again for each client. Safe because nothing is compressed or fragmented. */
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
 * An upgraded connection keeps its request and response for as long as it is open: most of the memory of an idle socket.
 */
function forgetRequest(socket: WebSocket): void {
  const connection = connectionOf(socket) as Socket & {
    _httpMessage?: ServerResponse | null;
    [timer: symbol]: unknown;
  };
  connection._httpMessage?.detachSocket(connection);
  // Its timer as well, which the upgrade cleared.
  const timer = Object.getOwnPropertySymbols(connection).find(({ description }) => description === 'timeout');
  if (timer !== undefined) connection[timer] = null;
}
