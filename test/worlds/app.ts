import assert from 'node:assert';
import type { LightMyRequestResponse } from 'fastify';
import { findCaller } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { createHttp, type Http, type HttpOptions } from '#server/http/server.ts';
import { ofEveryCall as ofCalls } from '#test/fuzz/check-answer.ts';

/** Never rejects calls because the machine is busy: for all tests except those of the overload guard. */
export const patient = { maxDelayMs: Number.POSITIVE_INFINITY } as const satisfies HttpOptions;

/** Also what a failure, and the access to a member's account, answer to any call. */
const failures = ['internal', 'not_ready', 'outcome_unknown', 'request_timeout', 'read_only', 'confirm_identity'];
const ofEveryCall = new Set([...ofCalls, ...failures]);
/** A header by which a test fails. */
const UNNAMED = 'x-unnamed-refusal';

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any;
  readonly text: string;
  readonly headers: LightMyRequestResponse['headers'];
};

export type TestApp = {
  readonly http: Http;
  readonly ask: ReturnType<typeof askOf>;
  readonly close: () => Promise<void>;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Options = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/**
 * A request without a socket. `url` is relative to `/api/v1` unless it starts with `/`. A string body is sent
 * unchanged.
 */
export const askOf =
  (fastify: Http['fastify']) =>
  async (method: Method, url: string, { token, body, headers }: Options = {}): Promise<Answer> => {
    const reply = await fastify.inject({
      method,
      url: url.startsWith('/') ? url : `/api/v1/${url}`,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    assert.equal(reply.headers[UNNAMED], undefined, `${method} ${url}: a refusal that the contract does not name`);
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      body: isJson ? reply.json() : undefined,
      text: reply.body,
      headers: reply.headers,
    };
  };

/** The HTTP edge with the named domains mounted, on a test database. `testApp(context, mountIdentity, mountTrading)` */
export async function testApp(
  context: Context,
  ...mounts: ((http: Http, context: Context) => unknown)[]
): Promise<TestApp> {
  const http = await createHttp(context, (token, how) => findCaller(context, token, how), patient);
  http.fastify.addHook('onSend', async ({ routeOptions: { config } }, reply, payload) => {
    if (reply.statusCode < 400 || config.row === undefined) return;
    const { code } = JSON.parse(String(payload));
    if (!ofEveryCall.has(code) && !config.row.refusals?.includes(code)) reply.header(UNNAMED, code);
  });
  for (const mountDomain of mounts) await mountDomain(http, context);
  await http.fastify.ready();
  return { http, ask: askOf(http.fastify), close: () => http.fastify.close() };
}

/** The expected reply to a successful call. */
export const success = (data: unknown) => ({ status: 200, body: { status: 'success', data } });

/** The expected reply to a refused call, with the invalid field if there is one. */
export const refusal = (status: number, code: string, field?: string, message?: unknown) => ({
  status,
  body: {
    status: 'error',
    code,
    ...(field !== undefined && { validation_results: [{ field, ...(message !== undefined && { message }) }] }),
  },
});
