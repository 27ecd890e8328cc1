import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyServerOptions } from 'fastify';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { failureOf } from './reply.ts';

type Options = Required<Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>>;

/** Requests whose URL cannot be parsed, so that no route was found. */
const unreadable = new WeakMap<IncomingMessage, FastifyError>();

/** Replies to malformed requests in the usual form, where Fastify would reply by itself before any hook. */
export function malformedRequestOptions(log: Context['log'], app: () => FastifyInstance): Options {
  return {
    // Routed through the hooks anyway, so that it is counted, logged and has every header.
    frameworkErrors: (error, { raw }, reply) => {
      unreadable.set(raw, error);
      raw.url = raw.url?.startsWith('/api/') ? '/api/unreadable' : '/unreadable';
      app().routing(raw, reply.raw);
    },
    clientErrorHandler: (error, socket) => answerMalformed(log, error, socket as Socket),
  };
}

/** Runs after the rate limit, so that these requests count. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const error = unreadable.get(raw);
    if (error !== undefined) throw error;
    // A proxy may use one of them and this server the other. Only HTTP/1.0 may omit the host.
    const hosts = countHeader(raw, 'host');
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1') || countHeader(raw, 'authorization') > 1)
      throw new Refused('unreadable_body');
  });
  // Node would answer 417 without a body; the expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', app.routing);
}

const countHeader = ({ rawHeaders }: IncomingMessage, name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

const codes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const reasons: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Header Fields Too Large' };

/** Input that is not HTTP has no request: the reply is written to the socket, which is then closed. */
function answerMalformed(log: Context['log'], error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const { status, body } = failureOf(codes[error.code ?? ''] ?? 'unreadable_body');
  // The error itself quotes the packet, which may contain a token.
  log.info({ requestId, status, code: error.code }, 'malformed request');
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
