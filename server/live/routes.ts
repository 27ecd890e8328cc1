import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { livePath } from '#contract/live/live-rules.ts';
import { closeBroken, type Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import type { Live } from './open-live.ts';

/** `WS /api/v1/live`. The sign-in is checked with the first message, so that no token stands in an address. */
export function mountLive(http: Http, live: Live): void {
  const { publicUrl } = http.context.config;
  http.fastify.route({
    method: 'GET',
    url: livePath,
    schema: { hide: true },
    onRequest: async (request) => refuseForeignPage(request, publicUrl),
    handler: async () => {
      throw new Refused('not_found');
    },
    wsHandler: (socket, request) => welcome(socket, request, live),
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

function welcome(socket: WebSocket, request: FastifyRequest, live: Live): void {
  forgetRequest(socket, request);
  const connection = connectionOf(socket);
  const guest = live.meet({
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (text) => socket.send(text, { binary: false }),
    // Past the socket, which would frame it anew for each: nothing is compressed or sent in parts, so whole frames stay whole.
    write: (frame) => {
      if (socket.readyState === socket.OPEN) connection.write(frame);
    },
    ping: () => socket.ping(),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  });
  socket.on('message', (data, isBinary) => guest.hear(isBinary ? '' : data.toString()));
  socket.on('pong', guest.answer);
  socket.on('close', guest.leave);
}

const connectionOf = (socket: WebSocket) => (socket as unknown as { readonly _socket: Duplex })._socket;

/**
 * A connection that was upgraded keeps its request, the answer that nobody gives and whatever they hold for as long as it
 * is open: most of the memory of a quiet socket.
 */
function forgetRequest(socket: WebSocket, { log }: FastifyRequest): void {
  const connection = connectionOf(socket) as Duplex & { readonly _httpMessage?: ServerResponse | null };
  connection._httpMessage?.detachSocket(connection as Socket);
  // That of all sockets (server.ts), which names the request.
  socket.removeAllListeners('error');
  socket.on('error', (error) => closeBroken(socket, log, error));
}
