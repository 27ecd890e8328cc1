import { expect, test } from 'vitest';
import { Refused } from '../refused.ts';
import { appInfo, makeWebFolder, openHttp } from './http-world.test-setup.ts';
import { serveWeb } from './web-files.ts';

const LIMIT = 30;
const { http } = await openHttp(
  (http) => {
    http.fastify.get('/busy', async () => {
      throw new Refused('not_ready', { retryAfterSeconds: 2 });
    });
    http.fastify.get('/broken', async () => {
      throw new Error('secret detail');
    });
    return serveWeb(http, () => appInfo);
  },
  { env: { RATE_LIMIT: String(LIMIT), BRAND_NAME: 'Sail & <Wind>' }, webDir: makeWebFolder({}) },
);

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open = (url: string, remoteAddress = '203.0.113.1') =>
  http.fastify.inject({ url, headers: { accept: BROWSER }, remoteAddress });

test('a temporarily refused page retries by itself, under the policy of every page', async () => {
  const reply = await open('/busy');
  expect(reply.statusCode).toBe(503);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '5',
    refresh: '5',
  });
  expect(reply.headers['content-security-policy']).toBe((await open('/')).headers['content-security-policy']);
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply.body).toContain('<h1>Temporarily unavailable</h1>');
  expect(reply.body).toContain('reloads in 5 seconds');
  expect(reply.body).toContain('Sail &amp; &lt;Wind&gt;');
});

test('past the rate limit a page says when it retries', async () => {
  for (let index = 0; index < LIMIT; index += 1) await open('/dashboard', '203.0.113.2');
  const reply = await open('/dashboard', '203.0.113.2');
  expect(reply.statusCode).toBe(429);
  expect(reply.body).toContain('<h1>Too many requests</h1>');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(30);
  expect(reply.headers.refresh).toBe(reply.headers['retry-after']);
});

test.each([
  ['/assets/gone.js', 404, 'This page does not exist'],
  ['/%ff', 400, 'Invalid address'],
  ['/broken', 500, 'This page could not be loaded'],
])('%s opened as a page is a %i that links back and does not retry', async (url, status, title) => {
  const reply = await open(url);
  expect([reply.statusCode, reply.headers.refresh]).toEqual([status, undefined]);
  expect(reply.body).toContain(`<h1>${title}</h1>`);
  expect(reply.body).toContain('<a href="/">');
  expect(reply.body).not.toContain('secret');
});

test('programs, and every call, get JSON', async () => {
  expect((await http.fastify.inject({ url: '/busy', headers: { accept: '*/*' } })).json().code).toBe('not_ready');
  expect((await open('/api/v1/none')).json().code).toBe('not_found');
});
