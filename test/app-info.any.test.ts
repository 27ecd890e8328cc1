import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { makeWebFolder } from '#server/http/http-world.test-setup.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { patient } from '#test/worlds/app.ts';

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const config = { ...context.config, webDir: makeWebFolder({}), legalEntity: 'Example Ltd' };
const fastify = closeAfterAll((await createApp({ ...context, config }, patient)).fastify);

test('pages have what terms and labels show: the kind of money, and the legal entity', async () => {
  const { body } = await fastify.inject('/');
  const [, info = ''] = /id="app-info">(.*?)<\/script>/.exec(body) ?? [];
  expect(JSON.parse(info)).toMatchObject({ mode: 'paper', money: 'simulated', legalEntity: 'Example Ltd' });
});
