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
import { withRequestId } from '#server/request-id.ts';
import { isTracing, type Span, startSpan, withSpan } from '#server/spans.ts';
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
  /** Reads on the connections that are kept free. */
  readonly isReserved?: boolean | undefined;
  /** Reads the database, whatever was found a moment ago. */
  readonly isFresh?: boolean | undefined;
};

export type Http = {
  readonly fastify: FastifyInstance;
  readonly context: Context;
  readonly findCaller: (token: string, how?: CallerSearch) => Promise<Caller | undefined>;
  /** Its requests are no longer counted for their address, but for themselves. */
  readonly noteKnownToken: (token: string) => void;
  readonly largeBodies: LargeBodies;
  /** From now on the server is not ready, so that a proxy leads nobody here any more; who still comes is served. */
  readonly drain: () => void;
  readonly isDraining: () => boolean;
};

/** What became of a request, without anything of who sent it: the pattern of its address, never the address. */
export type NoteAnswer = (answer: {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}) => void;

export type HttpOptions = {
  readonly noteAnswer?: NoteAnswer | undefined;
  /**
   * By how much the event loop may be late, in milliseconds, before a call gets a quick 503. Tests that are not about it
   * say Infinity: a machine may be as busy with others as it likes.
   */
  readonly mostDelayMs?: number;
  /** Only tests have less than a server has. */
  readonly patience?: Patience;
};

/** How long a client may take, so that nobody holds a connection, and what was made for it, by being slow. */
export type Patience = {
  /** To send the head of a request. */
  readonly headMs: number;
  /** To send all of it. */
  readonly bodyMs: number;
  /** Without taking a byte of the answer. Longer than any call takes before its first byte. */
  readonly silenceMs: number;
  /** How often heads and bodies are looked at. */
  readonly lookMs: number;
};

const PATIENCE: Patience = { headMs: 10_000, bodyMs: 30_000, silenceMs: 120_000, lookMs: 5000 };

const EMPTY = Buffer.alloc(0);
const MOST_DELAY_MS = 5000;

/** The HTTP edge: limits, headers, strict bodies, one error reply. Routes are mounted by app.ts. */
export async function createHttp(
  context: Context,
  findCaller: Http['findCaller'],
  { noteAnswer, mostDelayMs = MOST_DELAY_MS, patience = PATIENCE }: HttpOptions = {},
): Promise<Http> {
  const { config } = context;
  const app: FastifyInstance = fastify({
    ...malformedRequestOptions(context.log, () => app),
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log itself knows which request it is in, also where nothing of the request is at hand.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    // A slow sender is cut: headersTimeout must be below requestTimeout to have any effect.
    requestTimeout: patience.bodyMs,
    // And who takes nothing of an answer. Sockets are past this, and have their own (server/live/listener.ts).
    connectionTimeout: patience.silenceMs,
    http: {
      headersTimeout: patience.headMs,
      connectionsCheckingInterval: patience.lookMs,
      // Without a Host, Node's own answer would have no body.
      requireHostHeader: false,
    },
    // Longer than any address: what is too long for a parameter is its schema's to say.
    routerOptions: { maxParamLength: 100_000 },
    // A HEAD would run the call behind GET: only files, pages and probes take one.
    exposeHeadRoutes: false,
    // Refused below, in the form of every refusal.
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
  if (Number.isFinite(mostDelayMs)) await refuseWhenBehind(app, mostDelayMs);
  refuseMalformed(app);
  const drain = endConnectionsOnClose(app);
  await acceptSockets(app);
  await mountDocs(app, config.brandName);
  app.setNotFoundHandler((_request, reply) => send(reply, 'not_found', []));
  return { fastify: app, context, findCaller, noteKnownToken, largeBodies: openLargeBodies(), ...drain };
}

/**
 * When the process is that far behind, a quick 503 is kinder than one more request in the queue. The delay is looked at as
 * seldom as it may be long: looked at more often, a look with nothing to go by, after a shorter stall, counts as endless.
 */
async function refuseWhenBehind(app: FastifyInstance, mostDelayMs: number): Promise<void> {
  const retryAfter = Math.ceil(mostDelayMs / 1000);
  await app.register(underPressure, { maxEventLoopDelay: mostDelayMs, sampleInterval: mostDelayMs, retryAfter });
}

/**
 * The address of a request, read once: a socket that was reset has none any more, and limits and audit entries go by it. Who was
 * gone before the request was looked at is not served.
 */
function keepAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { ip } = request;
    if (ip === undefined) return done(new ClientGone());
    Object.defineProperty(request, 'ip', { value: ip });
    done();
  });
}

/** Reading a body leaves what was begun before it, so the id is said once more after that. */
function tellRequestsApart(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withRequestId(request.id, done));
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done));
}

/** A step for each request, part of the trace that its `traceparent` names. */
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
 * A server that closes takes nothing new; connections without a request end at once. One with a request would be kept open after its
 * answer, for the next one, and hold the stop up: it is told to end, or ended when its answer had begun before. One that
 * drains tells them so with each answer.
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

/** What asks every few seconds whether the process is well. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

/**
 * One line a request, and its time for the metrics: who asked for what and what became of it. The pattern of the
 * address, because the address may hold a token; what is not found has none, and all of it is one.
 */
function noteAnswers(app: FastifyInstance, noteAnswer: NoteAnswer | undefined): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, log, method, caller } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? 'none';
    noteAnswer?.({ method, route, status, seconds: elapsedTime / 1000 });
    const level = PROBES.includes(route) ? 'debug' : 'info';
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

/** What a client does against the protocol closes its socket and is no fault of this process. */
export function closeBroken(socket: WebSocket, log: FastifyBaseLogger, error: unknown): void {
  log.debug({ err: error }, 'socket');
  socket.close(INTERNAL_ERROR);
}

/** Before any route, so that none of the others can be had as a socket. */
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

/** JSON is UTF-8 (RFC 8259, 8.1). Whoever says another one means other characters than would be read. */
const isUtf8 = (contentType = ''): boolean =>
  contentType === 'application/json' ||
  [...contentType.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)].every(([, charset]) => /^utf-?8$/i.test(charset ?? ''));

const notJson = () => Object.assign(new Error('charset'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are no UTF-8 are unreadable, not replaced by question marks. */
function readUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw Object.assign(new Error('not UTF-8'), { statusCode: 400 });
  }
}

/** They depend on nothing of a request, so they are worked out once, and each reply only gets them. */
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
        // Not every browser takes the sockets of this origin for its own.
        connectSrc: ["'self'", ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin.replace(/^http/, 'ws')])],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}
