import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mountHealth } from './health.ts';
import { appInfo, makeWebFolder, openHttp } from './http-world.test-setup.ts';
import { type manifestOf, serveWeb } from './web-files.ts';

const { http } = await openHttp(
  (http) => {
    mountHealth(http);
    return serveWeb(http, () => ({ ...appInfo, brandName: '</script><b>' }));
  },
  {
    webDir: makeWebFolder({
      'assets/index-abc123.js': 'export {};',
      'assets/index-abc123.js.br': 'compressed',
      'favicon.svg': '<svg/>',
      'first-loads.json': JSON.stringify({ '/login': '<link href="/login.js">', '*': '<link href="/member.js">' }),
    }),
  },
);

test.each(['/', '/dashboard', '/fund/deposits', '/btc', '/login?accessToken=x'])(
  '%s is a page of the app',
  async (url) => {
    const reply = await http.fastify.inject(url);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-cache');
  },
);

test('the app’s settings are embedded in the page and cannot break out of their element', async () => {
  const { body } = await http.fastify.inject('/');
  expect(body).toContain('<script type="application/json" id="app-info">');
  expect(body).not.toContain('</script><b>');
});

test.each([
  ['/login?accessToken=x', ['/login.js']],
  ['/fund/deposits', ['/member.js']],
  ['/operator/overview', []],
])('%s preloads at the end of its head what its page needs', async (url, expected) => {
  const { body } = await http.fastify.inject(url);
  const head = body.slice(0, body.indexOf('</head>'));
  expect([...head.matchAll(/<link href="([^"]+)">/g)].map(([, href]) => href)).toEqual(expected);
  expect(body.match(/<link href=/g) ?? []).toHaveLength(expected.length);
});

test('files with a hash in their name are cached for good, others are revalidated', async () => {
  expect((await http.fastify.inject('/assets/index-abc123.js')).headers['cache-control']).toContain('immutable');
  expect((await http.fastify.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
});

test('a compressed file is sent to clients that accept it, under the name of the file', async () => {
  const headers = { 'accept-encoding': 'br' };
  const reply = await http.fastify.inject({ url: '/assets/index-abc123.js', headers });
  expect(reply.headers['content-encoding']).toBe('br');
  expect(reply.body).toBe('compressed');
  expect((await http.fastify.inject('/assets/index-abc123.js')).body).toBe('export {};');
  expect((await http.fastify.inject('/assets/index-abc123.js.br')).statusCode).toBe(404);
});

test.each(['/assets/missing.js', '/api/v1/nothing', '/.env', '/assets/..%2f..%2fpackage.json'])(
  '%s is a 404, not a page',
  async (url) => {
    const reply = await http.fastify.inject(url);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ status: 'error', code: 'not_found' });
  },
);

test('every reply forbids framing and foreign scripts', async () => {
  const { headers } = await http.fastify.inject('/');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('healthz and readyz respond', async () => {
  expect((await http.fastify.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await http.fastify.inject('/readyz')).json()).toEqual({ status: 'ready' });
});

test('the manifest names this installation, and each of its icons is a file of the declared size', async () => {
  const reply = await http.fastify.inject('/manifest.webmanifest');
  expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  const manifest = reply.json<ReturnType<typeof manifestOf>>();
  expect(manifest).toMatchObject({ name: '</script><b>', display: 'standalone', start_url: '/dashboard', scope: '/' });
  const sizes = manifest.icons.map(({ src, type }) => {
    const file = readFileSync(join(import.meta.dirname, '../../web/public', src));
    // A PNG has width and height in its first chunk; an SVG has any.
    return type === 'image/png' ? `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}` : 'any';
  });
  expect(sizes).toEqual(manifest.icons.map((icon) => icon.sizes));
});
