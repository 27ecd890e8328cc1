import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import underPressure from '@fastify/under-pressure';
import websocket, { type WebSocket } from '@fastify/websocket';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import helmet from 'helmet';
import type { Endpoint } from '#contract/endpoint.ts';
import { liveHandshakeBytes } from '#contract/live/live-rules.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { withRequestId } from '#server/telemetry/request-id.ts';
import { isTracing, type Span, startSpan, withSpan } from '#server/telemetry/spans.ts';
import { BODY_LIMIT_BYTES, type LargeBodies, openLargeBodies } from './large-bodies.ts';
import { malformedRequestOptions, refuseMalformed } from './malformed-requests.ts';
import { mountDocs } from './openapi.ts';
import { limitRates } from './rate-limits.ts';
import { readFields } from './read-fields.ts';
import { ClientGone, replyToError, send, writeReplies } from './reply.ts';
import { parseStrictJson } from './strict-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    rawBody: Buffer;
  }
  interface FastifyContextConfig {
    row?: Endpoint;
  }
}

export type CallerSearch = {
  /** Uses the reserved connections. */
  readonly isReserved?: boolean | undefined;
  /** Bypasses the cache. */
  readonly isFresh?: boolean | undefined;
};

export type Http = {
  readonly fastify: FastifyInstance;
  readonly context: Context;
  readonly findCaller: (token: string, how?: CallerSearch) => Promise<Caller | undefined>;
  /** Counts requests with this token separately from their address. */
  readonly noteKnownToken: (token: string) => void;
  readonly largeBodies: LargeBodies;
  /** Reports not ready, so that proxies stop routing here; requests are still served. */
  readonly drain: () => void;
  readonly isDraining: () => boolean;
};

/** The outcome of a request, without personal data: the route pattern, never the URL. */
export type NoteAnswer = (answer: {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}) => void;

export type HttpOptions = {
  readonly noteAnswer?: NoteAnswer | undefined;
  /**
   * Event loop delay in milliseconds beyond which calls get a quick 503. Other tests set Infinity, so that a busy
   * machine does not matter.
   */
  readonly maxDelayMs?: number;
  /** Shorter in tests only. */
  readonly patience?: Patience;
};

/** Timeouts, so that slow clients cannot occupy connections. */
export type Patience = {
  /** To send the head of a request. */
  readonly headMs: number;
  /** To send all of it. */
  readonly bodyMs: number;
  /** Without reading a byte of the reply. Longer than any call takes before its first byte. */
  readonly silenceMs: number;
  /** Interval of checking head and body timeouts. */
  readonly checkMs: number;
};

const PATIENCE: Patience = { headMs: 10_000, bodyMs: 30_000, silenceMs: 120_000, checkMs: 5000 };

const EMPTY = Buffer.alloc(0);
const MAX_DELAY_MS = 5000;

/** The HTTP server: limits, headers, strict bodies and error replies. app.ts mounts the routes. */
export async function createHttp(
  context: Context,
  findCaller: Http['findCaller'],
  { noteAnswer, maxDelayMs = MAX_DELAY_MS, patience = PATIENCE }: HttpOptions = {},
): Promise<Http> {
  const { config } = context;
  const app: FastifyInstance = fastify({
    ...malformedRequestOptions(context.log, () => app),
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log adds the request id itself, also where the request is not available.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    // Disconnects slow senders; headersTimeout must be below requestTimeout to have any effect.
    requestTimeout: patience.bodyMs,
    // Disconnects clients that do not read a reply. WebSockets have their own timeout (server/live/listener.ts).
    connectionTimeout: patience.silenceMs,
    http: {
      headersTimeout: patience.headMs,
      connectionsCheckingInterval: patience.checkMs,
      // Node's own reply to a missing Host has no body.
      requireHostHeader: false,
    },
    // Longer than any URL: the schemas limit the length of parameters.
    routerOptions: { maxParamLength: 100_000 },
    // HEAD would run the call of GET: only files, pages and probes accept it.
    exposeHeadRoutes: false,
    // Refused below, in the usual form.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  app.setValidatorCompiler(readFields);
  app.setSerializerCompiler(writeReplies);
  app.decorate('brandName', config.brandName);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('rawBody', null as unknown as Buffer);
  app.addHook('onRequest', (request, _reply, done) => {
    request.rawBody = EMPTY;
    done();
  });
  keepAddress(app);
  tellRequestsApart(app);
  if (isTracing()) traceRequests(app);
  app.setErrorHandler((error, request, reply) => replyToError(context, error, request, reply));
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    const isFile = request.routeOptions.config.row?.file !== undefined;
    if (request.url.startsWith('/api/')) reply.header('cache-control', isFile ? 'private, no-store' : 'no-store');
    done();
  });
  noteAnswers(app, noteAnswer);
  acceptOnlyJson(app);
  setSecurityHeaders(app, config.publicUrl);
  const noteKnownToken = await limitRates(app, config.rateLimit);
  if (Number.isFinite(maxDelayMs)) await refuseWhenBehind(app, maxDelayMs);
  refuseMalformed(app);
  const drain = endConnectionsOnClose(app);
  await acceptSockets(app);
  await mountDocs(app, config.brandName);
  app.setNotFoundHandler((_request, reply) => send(reply, 'not_found', []));
  return { fastify: app, context, findCaller, noteKnownToken, largeBodies: openLargeBodies(), ...drain };
}

/**
 * If the event loop is that late, a quick 503 is better than queueing another request. The sample interval equals the
 * limit: with a shorter one, a sample without data after a short stall counts as infinite delay.
 */
async function refuseWhenBehind(app: FastifyInstance, maxDelayMs: number): Promise<void> {
  const retryAfter = Math.ceil(maxDelayMs / 1000);
  await app.register(underPressure, { maxEventLoopDelay: maxDelayMs, sampleInterval: maxDelayMs, retryAfter });
}

/**
 * Reads the network address of a request once, because a reset socket no longer has one and limits and audit entries
 * need it. A client that disconnected before is not served.
 */
function keepAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { ip } = request;
    if (ip === undefined) return done(new ClientGone());
    Object.defineProperty(request, 'ip', { value: ip });
    done();
  });
}

/** Sets the request id of the async context, again after the body was read, because that loses the context. */
function tellRequestsApart(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withRequestId(request.id, done));
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done));
}

/** A span for each request, part of the trace in its `traceparent`. */
function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (PROBES.includes(route)) return done();
    const { id, method, headers } = request;
    const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
    const attributes = { 'http.request.method': method, 'http.route': route, 'tradewind.request_id': id };
    const span = startSpan({ name: `${method} ${route}`, kind: 'server', parent, attributes });
    if (span !== undefined) spans.set(request, span);
    withSpan(span, done);
  });
  app.addHook('preValidation', (request, _reply, done) => withSpan(spans.get(request), done));
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    spans.get(request)?.end(status < 500 ? undefined : `${status}`, { 'http.response.status_code': status });
    done();
  });
}

/**
 * A closing server accepts no new requests and closes idle connections immediately. Keep-alive would delay the stop, so
 * busy connections get `connection: close`, or are closed after a reply that had already started. A draining server
 * sends the header with every reply.
 */
function endConnectionsOnClose(app: FastifyInstance): Pick<Http, 'drain' | 'isDraining'> {
  let isDraining = false;
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isClosing ? new Refused('not_ready', { retryAfterSeconds: 1 }) : undefined);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining || isClosing) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  const drain = () => {
    isDraining = true;
  };
  return { drain, isDraining: () => isDraining };
}

/** Health checks, several a second: as answers they would make all others look quicker, and an outage a storm of faults. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

/**
 * Logs one line per request and reports its time to the metrics. It uses the route pattern, because the URL may contain
 * a token; everything not found shares one.
 */
function noteAnswers(app: FastifyInstance, noteAnswer: NoteAnswer | undefined): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, log, method, caller } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'none';
    const isProbe = PROBES.includes(route);
    if (!isProbe) noteAnswer?.({ method, route, status, seconds: elapsedTime / 1000 });
    const level = isProbe ? 'debug' : 'info';
    log[level]({ requestId, method, route, status, ms: Math.round(elapsedTime), ...nameCaller(caller) }, 'answered');
    done();
  });
}

const nameCaller = (caller: Caller | undefined) =>
  caller?.kind === 'member'
    ? { memberId: String(caller.memberId) }
    : caller && { operatorId: String(caller.operatorId) };

const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
const LEAVE_MS = 1000;

/** A client that violates the protocol is disconnected; that is no fault of this process. */
export function closeBroken(socket: WebSocket, log: FastifyBaseLogger, error: unknown): void {
  log.debug({ err: error }, 'socket');
  socket.close(INTERNAL_ERROR);
}

/** Before any route, so that no other route accepts a WebSocket. */
async function acceptSockets(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: liveHandshakeBytes },
    errorHandler: (error, socket, request) => closeBroken(socket, request.log, error),
    preClose: (done) => {
      const { clients } = app.websocketServer;
      for (const socket of clients) socket.close(GOING_AWAY);
      setTimeout(() => {
        for (const socket of clients) socket.terminate();
      }, LEAVE_MS).unref();
      app.websocketServer.close(() => done());
    },
  });
}

function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer;
    if (!isUtf8(request.headers['content-type'])) return done(notJson());
    try {
      done(
        null,
        body.length === 0 || request.routeOptions.config.row?.rawBody
          ? undefined
          : parseStrictJson(readUtf8(body as Buffer)),
      );
    } catch (error) {
      done(error as Error);
    }
  });
}

/** JSON is UTF-8 (RFC 8259, 8.1). Another declared charset would be misread. */
const isUtf8 = (contentType = ''): boolean =>
  contentType === 'application/json' ||
  [...contentType.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)].every(([, charset]) => /^utf-?8$/i.test(charset ?? ''));

const notJson = () => Object.assign(new Error('charset'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Invalid UTF-8 is refused, not replaced. */
function readUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw Object.assign(new Error('not UTF-8'), { statusCode: 400 });
  }
}

/** Computed once, because they do not depend on the request. */
function setSecurityHeaders(app: FastifyInstance, publicUrl: string | undefined): void {
  const headers: Record<string, string> = {};
  const blank = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(securityHeaders(publicUrl))({} as IncomingMessage, blank as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error;
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

function securityHeaders(publicUrl: string | undefined) {
  const isHttps = publicUrl?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine writes style attributes and one style element with the theme's variables.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        // Not every browser includes WebSockets of this origin in 'self'.
        connectSrc: ["'self'", ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin.replace(/^http/, 'ws')])],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}
