import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, BodyOf, DataOf, Endpoint, OperatorRole, ParamsOf, QueryOf } from '#contract/endpoint.ts';
import { apiBase } from '#contract/index.ts';
import { supportAccessReaders } from '#contract/operator/support-access.ts';
import { refusals } from '#contract/refusals.ts';
import type { MemberCaller, OperatorCaller } from '#server/caller.ts';
import type { TextFile } from '#server/csv-file.ts';
import { type Work, withPoolShare } from '#server/db/semaphore.ts';
import { findReply, type Once } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { LARGE_BODY_LIMIT_BYTES } from './large-bodies.ts';
import { bearer } from './rate-limits.ts';
import { idempotencyKey, ValidationFailed } from './reply.ts';
import type { Http } from './server.ts';

type CallerOf<A extends Access> = A extends 'public' ? undefined : A extends 'member' ? MemberCaller : OperatorCaller;

/** The argument of a handler: validated, and independent of the HTTP library. */
export type Call<E extends Endpoint> = {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: CallerOf<E['access']>;
  /** The claim on the caller's Idempotency-Key, for `runOnce`; undefined without the header. */
  readonly once: Once | undefined;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Only for rows with `rawBody`. */
  readonly rawBody: Buffer;
};

/** A reply with a message for people beside its data. */
export class WithMessage<T> {
  readonly message: string;
  readonly data: T;
  constructor(message: string, data: T) {
    this.message = message;
    this.data = data;
  }
}
export const withMessage = <T>(message: string, data: T): WithMessage<T> => new WithMessage(message, data);

/** A file instead of the envelope, for rows with `file`; its text is streamed. */
export class AsFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
  constructor(name: string, text: AsyncIterable<string>) {
    this.name = name;
    this.text = text;
  }
}
export const asFile = ({ name, text }: TextFile): AsFile => new AsFile(name, text);

/** Uploaded bytes, for rows with `application/octet-stream`: only ever downloaded, never displayed. */
export class AsDownload {
  readonly name: string;
  readonly bytes: Uint8Array;
  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
  }
}
export const asDownload = (name: string, bytes: Uint8Array): AsDownload => new AsDownload(name, bytes);

type FileOf<E extends Endpoint> = E extends { file: 'text/csv' }
  ? AsFile
  : E extends { file: 'application/octet-stream' }
    ? AsDownload | AsFile
    : never;
type Answer<E extends Endpoint> = DataOf<E> | WithMessage<DataOf<E>> | FileOf<E>;
/** The reply's data is null where a row has none, and its handler need not return it. */
type NoAnswer<E extends Endpoint> = E extends { data: z.ZodType } | { file: string } ? never : Promise<void>;

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>> | NoAnswer<E>;

/** One handler for every row: a row without one does not compile (http/mount.db.test.ts). */
export type Handlers<T extends Record<string, Endpoint>> = { readonly [K in keyof T]: Handler<T[K]> };

/** Turns rows of the endpoint table into routes: access, strict shapes both ways, idempotency. */
export function mount<T extends Record<string, Endpoint>>(http: Http, rows: T, handlers: Handlers<T>): void {
  for (const name of Object.keys(rows))
    mountRow(http, rows[name] as Endpoint, handlers[name] as unknown as Handler<Endpoint>);
}

const noFields = z.strictObject({});
const envelope = (data: z.ZodType = z.null()) =>
  z.strictObject({ status: z.literal('success'), message: z.string().optional(), data }).describe('Success.');
/** One reply with two media types, each with its schema, in the form of OpenAPI. */
const envelopeOrFile = (data: z.ZodType | undefined, file: string) => ({
  description: 'Data, or the requested file.',
  content: { 'application/json': { schema: envelope(data) }, [file]: { schema: z.string() } },
});

function mountRow(http: Http, row: Endpoint, handler: Handler<Endpoint>): void {
  const takesBody = row.method === 'POST' || row.method === 'PUT';
  http.fastify.route({
    method: row.method,
    url: `${apiBase}${row.path}`,
    attachValidation: true,
    ...(row.largeBody ? { bodyLimit: LARGE_BODY_LIMIT_BYTES } : {}),
    config: {
      row,
      ...(isSecretCheck(row) ? { rateLimit: { max: http.context.config.signInLimit, timeWindow: '1 minute' } } : {}),
    },
    schema: {
      summary: row.summary,
      description: describeCall(row),
      tags: [row.path.split('/')[1] ?? ''],
      ...(row.access === 'public' ? {} : { security: [{ bearer: [] }] }),
      params: row.params ?? noFields,
      querystring: row.query ?? noFields,
      ...(takesBody && !row.rawBody ? { body: row.body ?? noFields.nullish() } : {}),
      response: { 200: row.file === undefined ? envelope(row.data) : envelopeOrFile(row.data, row.file) },
    },
    // Before the body is read, so that no body of a refused caller is buffered.
    onRequest: async (request, reply) => {
      await authorize(http, row, request);
      if (row.largeBody) http.largeBodies(request, reply);
    },
    handler: async (request, reply) =>
      answer(reply, row, await withPoolShare(workOf(row, request), () => run(http, row, handler, request))),
  });
}

/** Public calls that check a password or code, or reveal a name, get the strict limit per address. */
const isSecretCheck = (row: Endpoint) =>
  row.access === 'public' && (row.method === 'POST' || row.limitedLikeSignIn === true) && !row.rawBody;

const ABOUT_KEYS =
  'Takes `Idempotency-Key`: the same key with the same body gives the first reply again. A refused request does not use up its key: it stands for what was done, not for what was refused. After `outcome_unknown` (503) it tells what became of the request.';

/** The OpenAPI description of a call: access, idempotency and refusals. */
export function describeCall(row: Endpoint): string {
  const identity = row.confirmsIdentity ? (['confirm_identity'] as const) : [];
  const codes = [...identity, ...(row.refusals ?? [])].map(
    (code) => `\`${code}\` (${refusals[code][0]}): ${refusals[code][1]}`,
  );
  const once = row.idempotent ? [ABOUT_KEYS] : [];
  const access = typeof row.access === 'string' ? row.access : row.access.join(', ');
  const early = row.beforeSecondFactor ? ', also before two-factor authentication is set up' : '';
  return [`Access: ${access}${early}.`, ...once, ...codes].join('\n\n');
}

/** Public calls share one part of the pool; each member or operator has their own. */
const workOf = (row: Endpoint, { caller }: FastifyRequest): Work => ({
  caller: caller === undefined ? 'public' : caller.kind === 'member' ? `${caller.memberId}` : `-${caller.operatorId}`,
  writes: row.method !== 'GET',
});

async function authorize(http: Http, row: Endpoint, request: FastifyRequest): Promise<void> {
  const { access } = row;
  if (access === 'public') return;
  const token = bearer(request);
  const caller = await http.findCaller(token, { isReserved: row.reserved, isFresh: row.confirmsIdentity });
  if (caller === undefined) throw new Refused('session_required');
  http.noteKnownToken(token);
  // Set before the checks, so that the log names a refused caller.
  request.caller = caller;
  const mayCall =
    access === 'member' ? caller.kind === 'member' : caller.kind === 'operator' && access.includes(caller.role);
  if (!mayCall) throw new Refused('not_allowed');
  if (caller.kind === 'operator' && !caller.hasSecondFactor && !row.beforeSecondFactor)
    throw new Refused('second_factor_missing');
  if (caller.kind === 'member' && caller.opening !== undefined) refuseUnlessShown(row, caller.opening.role);
  if (row.confirmsIdentity && caller.kind === 'member' && caller.isUnconfirmed) throw new Refused('confirm_identity');
}

/**
 * Impersonation is read-only, and limited to what the operator's role may read in the console (docs/product.md, section
 * 8). Enforced here for every call.
 */
function refuseUnlessShown(row: Endpoint, role: OperatorRole): void {
  if (row.opened === 'allowed') return;
  const readers = orRefuse(supportAccessReaders(row), 'read_only');
  if (!readers.includes(role)) throw new Refused('not_allowed');
}

async function run(http: Http, row: Endpoint, handler: Handler<Endpoint>, request: FastifyRequest): Promise<unknown> {
  const once = row.idempotent ? readOnce(row, request) : undefined;
  if (request.validationError !== undefined) {
    // A stored reply to the key takes precedence over validation (docs/api.md, "Idempotency-Key").
    const stored = once && (await findReply(http.context.db, once));
    if (stored) return stored.reply;
    throw new ValidationFailed(request.validationError);
  }
  return handler({
    params: request.params,
    query: request.query,
    body: request.body,
    caller: request.caller,
    once,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    headers: request.headers,
    rawBody: request.rawBody,
  } as unknown as Call<Endpoint>);
}

function answer(reply: FastifyReply, row: Endpoint, result: unknown) {
  if (result instanceof AsFile && row.file !== undefined) {
    // A failure while streaming aborts the reply, so a partial file is never mistaken for a complete one.
    return reply
      .type(`${row.file}; charset=utf-8`)
      .header('content-disposition', asAttachment(result.name))
      .send(Readable.from(result.text));
  }
  if (result instanceof AsDownload && row.file !== undefined) return sendDownload(reply, row.file, result);
  const body =
    result instanceof WithMessage ? { message: result.message, data: result.data } : { data: result ?? null };
  return reply.send({ status: 'success', ...body });
}

/** The headers keep browsers from treating the bytes as a page, script or image of this site. */
function sendDownload(reply: FastifyReply, type: string, { name, bytes }: AsDownload) {
  return reply
    .type(type)
    .header('content-disposition', asAttachment(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function readOnce(row: Endpoint, request: FastifyRequest): Once | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKey.test(key))
    throw new Refused('validation', {
      field: 'Idempotency-Key',
      reason: '1 to 100 visible ASCII characters.',
    });
  const callerId = callerIdOf(request.caller);
  const path = request.url.split('?')[0] ?? '';
  const bodyHash = hash('sha256', Buffer.concat([Buffer.from(`${path}\n`), request.rawBody]), 'hex');
  return { callerId, call: `${row.method} ${row.path}`, key, bodyHash };
}

/** As in the keys of calls: members are positive, operators negative, and everybody else is 0. */
const callerIdOf = (caller: FastifyRequest['caller']): bigint =>
  caller === undefined ? 0n : caller.kind === 'member' ? caller.memberId : -caller.operatorId;

/**
 * The Content-Disposition of a download (RFC 6266, RFC 5987). Anything but plain ASCII goes to an encoded second
 * parameter, so no name can inject a header. `asAttachment('übersicht.png')` is `attachment; filename="_bersicht.png";
 * filename*=UTF-8''%C3%BCbersicht.png`
 */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
