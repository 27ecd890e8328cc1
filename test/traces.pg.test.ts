import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';
import { callApi, sendApi } from '#test/kit/send-api.ts';
import { startServer } from '#test/kit/server-process.ts';
import { waitFor } from '#test/kit/wait-until.ts';

type Value = { readonly stringValue?: string; readonly intValue?: number | string };
type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
};
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
};

/** Logs in the server’s own output which OpenTelemetry modules it loads. */
const TELL = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => {
  if (url.includes('/@opentelemetry/')) process.stderr.write('loaded ' + url + '\\n');
  return next(url, context);
} });`;
const telling = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(TELL)}` };

const ADMIN = { email: 'mara.lindqvist@example.com', password: 'a password of the first admin' };
const WRONG_PASSWORD = 'hunter2-is-not-it';

async function listen(answer: (request: IncomingMessage, text: string) => number | undefined): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const status = answer(request, Buffer.concat(parts).toString());
    // A handler without a status accepts the connection and never responds.
    if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const attributeOf = ({ attributes }: Pick<SentSpan, 'attributes'>, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

test('requests, jobs and their statements arrive as traces, without any user input', async () => {
  const sent: Sent[] = [];
  let bytes = '';
  const endpoint = await listen((request, text) => {
    expect(request.url).toBe('/v1/traces');
    bytes += text;
    sent.push(JSON.parse(text));
    return 200;
  });
  const server = await startServer({
    ...telling,
    DATABASE_URL: await createTestDatabase(),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'tradewind-test',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  onTestFinished(server.kill);
  const wrong = { ...ADMIN, password: WRONG_PASSWORD };
  const refused = await sendApi(server.origin, 'operator/login', { body: wrong });
  expect(refused.status).toBe(422);
  const { access_token: token } = await callApi<{ access_token: string }>(server.origin, 'operator/login', {
    body: ADMIN,
  });
  const above = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const read = await sendApi(server.origin, 'operator/me', {
    token,
    headers: { traceparent: `00-${above.traceId}-${above.spanId}-01` },
  });
  expect(read.status).toBe(200);
  await sendApi(server.origin, 'operator/me?secret=in-the-address', { token });
  await sendApi(server.origin, 'nowhere/token-in-a-path');
  const spans = () => sent.flatMap((one) => one.resourceSpans[0]?.scopeSpans.flatMap((scope) => scope.spans) ?? []);
  await waitFor(async () => spans().some(({ name }) => name === 'job market'), 'a round of the market was traced');
  await waitFor(async () => server.output().includes('serves on'), 'the server can be stopped');
  expect(await server.stop()).toBe(0);

  const partsOf = (span: SentSpan | undefined) => spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId);
  const signIns = spans().filter(({ name }) => name === 'POST /api/v1/operator/login');
  const ofRefused = signIns.find(
    (span) => attributeOf(span, 'tradewind.request_id') === refused.headers.get('x-request-id'),
  );
  expect(signIns.length).toBe(2);
  expect(attributeOf(ofRefused as SentSpan, 'http.response.status_code')).toBe(422);
  const selects = partsOf(ofRefused).filter(({ name }) => name === 'select');
  expect(selects.some((span) => /from identity\.operator .*\$1/.test(String(attributeOf(span, 'db.query.text'))))).toBe(
    true,
  );
  expect(selects.every(({ traceId }) => traceId === ofRefused?.traceId)).toBe(true);

  const continued = spans().find(
    (span) => attributeOf(span, 'tradewind.request_id') === read.headers.get('x-request-id'),
  );
  expect(continued).toMatchObject({ traceId: above.traceId, parentSpanId: above.spanId });
  expect(partsOf(continued).length).toBeGreaterThan(0);

  const rounds = spans().filter(({ name }) => name === 'job market');
  expect(rounds.every(({ parentSpanId }) => !parentSpanId)).toBe(true);
  expect(rounds.flatMap(partsOf).some((span) => String(attributeOf(span, 'db.query.text')).includes('market.'))).toBe(
    true,
  );
  expect(spans().map(({ name }) => name)).not.toContain('GET /readyz');
  const tellings = spans().filter((span) => String(attributeOf(span, 'db.query.text')).includes('pg_notify'));
  expect(tellings.length).toBeGreaterThan(0);
  expect(tellings.every(({ parentSpanId }) => !parentSpanId)).toBe(true);

  const resource = sent[0]?.resourceSpans[0]?.resource as SentSpan;
  expect(attributeOf(resource, 'service.name')).toBe('tradewind-test');
  expect(attributeOf(resource, 'service.version')).toMatch(/^\d+\.\d+\.\d+$/);
  for (const secret of [WRONG_PASSWORD, ADMIN.password, ADMIN.email, token, 'in-the-address', 'token-in-a-path'])
    expect(bytes).not.toContain(secret);
  expect(server.output()).toContain('/@opentelemetry/sdk-trace/');
});

test('an unresponsive receiver delays neither requests nor the stop, and is logged', async () => {
  const endpoint = await listen(() => undefined);
  const server = await startServer({
    DATABASE_URL: await createTestDatabase(),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  onTestFinished(server.kill);
  const replies = await Promise.all(Array.from({ length: 50 }, () => sendApi(server.origin, 'auth/wallet-balance')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  await waitFor(async () => server.output().includes('traces are not taken'), 'the log says so');
  const began = performance.now();
  await waitFor(async () => server.output().includes('serves on'), 'the server can be stopped');
  expect(await server.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('without a receiver none of it is loaded', async () => {
  const server = await startServer({ ...telling, DATABASE_URL: await createTestDatabase() });
  onTestFinished(server.kill);
  expect((await sendApi(server.origin, 'auth/wallet-balance')).status).toBe(401);
  await waitFor(async () => server.output().includes('serves on'), 'the server can be stopped');
  expect(await server.stop()).toBe(0);
  // The API package alone comes with prom-client.
  expect(server.output()).not.toMatch(/@opentelemetry\/(?!api\/)/);
});
