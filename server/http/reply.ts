import assert from 'node:assert';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { money } from '#contract/fields.ts';
import { type RefusalCode, type RefusalData, refusals } from '#contract/refusals.ts';
import type { Context } from '#server/context.ts';
import { isPastLimit, OutcomeUnknown } from '#server/db/faults.ts';
import { noteOutage } from '#server/db/outage.ts';
import { Refused } from '#server/refused.ts';
import { describeError } from '#server/telemetry/describe-error.ts';
import { hideTexts } from '#server/telemetry/open-log.ts';
import { isNavigation, sendFailurePage } from './failure-page.ts';
import { ShapeFault } from './read-fields.ts';

/**
 * The form of every refusal (docs/api.md, "Replies"): a code for programs, a message for people, and the affected
 * fields.
 */
export const failure = z.strictObject({
  status: z.literal('error'),
  code: z.enum(Object.keys(refusals) as RefusalCode[]),
  message: z.string(),
  validation_results: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
  error: z.array(z.strictObject({ field: z.string(), reason: z.string() })).optional(),
  data: z.strictObject({ still_possible: money }).optional(),
});
type Failure = z.output<typeof failure>;

/** Visible ASCII. */
export const idempotencyKey = /^[\x21-\x7e]{1,100}$/;

/** Input that does not match the row's schema. */
export class ValidationFailed extends Error {
  readonly fields: { field: string; message: string }[];
  constructor(error: unknown) {
    super('validation');
    assert(error instanceof ShapeFault, 'readFields reports every schema error');
    this.fields = fieldsOf(error);
  }
}

/**
 * Serializes a reply that matches its row's schema, and refuses any other. It parses instead of encoding, which takes
 * twice as long and differs only for schemas that transform values: those of replies do not
 * (contract/endpoints.test.ts).
 */
export const writeReplies: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (data) => {
    const { success, data: parsed, error } = schema.safeParse(data);
    if (!success) throw new ResponseSerializationError(method, url, { cause: error });
    return JSON.stringify(parsed);
  };

/** The connection was reset before the request was handled. */
export class ClientGone extends Error {}

const fieldsOf = ({ issues, validationContext = 'request' }: ShapeFault): { field: string; message: string }[] =>
  issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ field: join(path, key), message: 'This field is not known.' }));
    return [{ field: path === '' ? validationContext : path, message: issue.message }];
  });

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

const fastifyCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'unreadable_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'unreadable_body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'unreadable_body',
  FST_ERR_BAD_URL: 'unreadable_body',
  FST_UNDER_PRESSURE: 'not_ready',
};

/** Turns every error into a reply. An unexpected one is a 500 without details. */
export function replyToError(
  context: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof ValidationFailed) return send(reply, 'validation', error.fields);
  if (error instanceof Refused) {
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
    const fields = error.field === undefined ? [] : [{ field: error.field, message: error.reason }];
    return send(reply, error.code, fields, error.data);
  }
  if (isClientGone(error, request)) {
    request.log.debug({ err: error, route: request.routeOptions.url }, 'client disconnected');
    return send(reply, 'unreadable_body', []);
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (code in fastifyCodes) return send(reply, fastifyCodes[code] as RefusalCode, []);
  if (statusCode === 429) return send(reply, 'too_many_requests', []);
  if (statusCode >= 400 && statusCode < 500) return send(reply, 'unreadable_body', []);
  const log = context.log.child({}, { serializers: { err: describeWithout(valuesOf(request)) } });
  if (noteOutage(context, error, log))
    return send(
      reply.header('retry-after', '1'),
      error instanceof OutcomeUnknown ? 'outcome_unknown' : 'not_ready',
      [],
    );
  if (isPastLimit(error)) {
    log.warn({ err: error }, 'database over its limits');
    return send(reply.header('retry-after', '1'), 'not_ready', []);
  }
  log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
  return send(reply, 'internal', []);
}

/** A client that lost its network, as phones often do, is no fault to log. */
const isClientGone = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof ClientGone || (error instanceof Error && raw.errored === error);

/** One-time codes have six characters; anything shorter is no secret. */
const MIN_SECRET_LENGTH = 6;

/** Every string in the request. An error may quote one, and it may be a password, a code or a token. */
function valuesOf({ body, query, params, headers }: FastifyRequest): string[] {
  const token = headers.authorization?.replace(/^Bearer /, '');
  const devices = [headers['x-device-token'] ?? []].flat().flatMap((value) => value.split(/[\s,]+/));
  return listTexts([body, query, params, token, devices]).filter((text) => text.length >= MIN_SECRET_LENGTH);
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

const describeWithout = (values: readonly string[]) => {
  const hide = hideTexts(values);
  return (error: unknown) => describeError(error, hide);
};

export function send(
  reply: FastifyReply,
  code: RefusalCode,
  fields: { field: string; message: string }[],
  data?: RefusalData,
): FastifyReply {
  const { status, body } = failureOf(code);
  if (data !== undefined) body.data = data;
  if (isNavigation(reply.request)) return sendFailurePage(reply, status);
  if (fields.length > 0) {
    body.validation_results = fields;
    body.error = fields.map(({ field, message: reason }) => ({ field, reason }));
  }
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

export function failureOf(code: RefusalCode): { status: number; body: Failure } {
  const [status, message] = refusals[code];
  return { status, body: { status: 'error', code, message } };
}
