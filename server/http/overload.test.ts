import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { patient } from '#test/worlds/app.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { createHttp, type HttpOptions } from './server.ts';

async function open(options?: HttpOptions) {
  const context = { config: testConfig(), log: pino({ level: 'silent' }) } as Context;
  const { fastify } = await createHttp(context, async () => undefined, options);
  fastify.get('/where', async () => ({}));
  await fastify.ready();
  return fastify;
}

/** Blocks the event loop. Timers that became due have run when it is over. */
async function stall(ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until; );
  await setTimeout(0);
}

test('a process that is too far behind refuses calls with Retry-After, until it has caught up', async () => {
  const http = await open({ maxDelayMs: 100 });
  // The delay is a mean over up to ten earlier readings of ten milliseconds.
  await stall(1500);
  let refused = await http.inject('/where');
  // On a busy machine it may be measured again between the stall and the call.
  for (let round = 1; round < 5 && refused.statusCode === 200; round += 1) {
    await stall(1500);
    refused = await http.inject('/where');
  }
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
  expect(refused.json()).toMatchObject({ status: 'error', code: 'not_ready' });
  await expect.poll(async () => (await http.inject('/where')).statusCode).toBe(200);
  await http.close();
});

test('a stall of a second refuses nobody', async () => {
  const http = await open();
  for (let round = 0; round < 3; round += 1) {
    await stall(1100);
    expect((await http.inject('/where')).statusCode).toBe(200);
  }
  await http.close();
});

test('without the guard a stall of any length refuses nobody', async () => {
  const http = await open(patient);
  await stall(1100);
  expect((await http.inject('/where')).statusCode).toBe(200);
  await http.close();
});
