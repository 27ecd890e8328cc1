import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyServerOptions } from 'fastify';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { failureOf } from './reply.ts';

type Options = Required<Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>>;

/** Requests that no route was found for, because their address cannot be read. */
const unreadable = new WeakMap<IncomingMessage, FastifyError>();

/** What Fastify would answer by itself, before any hook and in a form of its own, is answered as everything else is. */
export function malformedRequestOptions(log: Context['log'], app: () => FastifyInstance): Options {
  return {
    // Sent through the hooks all the same, so that it is counted, logged and has every header.
    frameworkErrors: (error, { raw }, reply) => {
      unreadable.set(raw, error);
      raw.url = raw.url?.startsWith('/api/') ? '/api/unreadable' : '/unreadable';
      app().routing(raw, reply.raw);
    },
    clientErrorHandler: (error, socket) => answerMalformed(log, error, socket as Socket),
  };
}

/** After the limit, so that these requests count. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const error = unreadable.get(raw);
    if (error !== undefined) throw error;
    // A proxy may take the one and this server the other. Only HTTP/1.0 may name no host.
    const hosts = countHeader(raw, 'host');
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1') || countHeader(raw, 'authorization') > 1)
      throw new Refused('unreadable_body');
  });
  // Node would answer 417 without a body; what is expected may as well be left aside (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', app.routing);
}

const countHeader = ({ rawHeaders }: IncomingMessage, name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

const codes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const reasons: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Header Fields Too Large' };

/** What is no HTTP has no request: the answer is written to the connection itself, which ends with it. */
function answerMalformed(log: Context['log'], error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const { status, body } = failureOf(codes[error.code ?? ''] ?? 'unreadable_body');
  // The error itself quotes the packet, which may hold a token.
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
