import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { openLive } from '#server/live/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { patient } from '#test/worlds/app.ts';
import { openProcessMetrics, serveMetrics } from './index.ts';

const world = closeAfterAll(await bootRecorded({}, { METRICS_PORT: String(await freePort()) }));

test('GET /metrics on its own port reports requests and the ledger; nothing else is there', async () => {
  const { database, context } = world;
  const live = openLive(context);
  const metrics = openProcessMetrics(context, database, live.countSockets);
  const http = await createApp(context, { live, noteAnswer: metrics.noteAnswer, ...patient });
  const stop = await serveMetrics(context, metrics);
  await http.fastify.inject({ url: '/api/v1/auth/wallet-balance' });
  await http.fastify.inject({ url: '/api/v1/nowhere/anika' });
  for (const url of ['/healthz', '/readyz']) expect((await http.fastify.inject({ url })).statusCode).toBe(200);

  const origin = `http://127.0.0.1:${context.config.metrics.port}`;
  const reply = await fetch(`${origin}/metrics`);
  const text = await reply.text();
  expect(reply.headers.get('content-type')).toContain('text/plain');
  expect(text).toMatch(/answer_seconds_count\{method="GET",route="\/api\/v1\/auth\/wallet-balance",status="401"\} 1/);
  expect(text).not.toContain('anika');
  expect(text).not.toMatch(/route="\/(healthz|readyz)"/);
  expect(text).toContain('tradewind_database_up 1');
  expect(text).toContain('tradewind_liabilities_dollars 0');
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await http.fastify.inject({ url: '/metrics' })).body).not.toContain('tradewind_liabilities');
  await stop();
  await http.fastify.close();
});

test('without a port nothing listens', async () => {
  const { database, context } = world;
  const unset = { ...context, config: { ...context.config, metrics: { ...context.config.metrics, port: undefined } } };
  const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const stop = await serveMetrics(
    unset,
    openProcessMetrics(unset, database, () => 0),
  );
  expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length).toBe(before);
  await stop();
});
