import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { livePath } from '#contract/live/live-rules.ts';
import type { Http } from '#server/http/server.ts';
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
    wsHandler: (socket) => welcome(socket, live),
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

function welcome(socket: WebSocket, live: Live): void {
  const guest = live.meet({
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (text) => socket.send(text, { binary: false }),
    ping: () => socket.ping(),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  });
  socket.on('message', (data, isBinary) => guest.hear(isBinary ? '' : data.toString()));
  socket.on('pong', guest.answer);
  socket.on('close', guest.leave);
}
