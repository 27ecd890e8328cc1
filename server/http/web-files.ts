import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { symbols } from '#contract/rules.ts';
import { send } from './reply.ts';
import type { Http } from './server.ts';

/** Settings that the page needs before its first call. Public, so nothing secret. */
export type AppInfo = {
  readonly brandName: string;
  readonly mode: 'paper' | 'staging' | 'live';
  readonly money: 'simulated' | 'test' | 'real';
  readonly payments: readonly string[];
  readonly venue: 'paper' | 'ccxt';
  readonly supportEmail: string;
  /** Named in the terms; live mode requires it. */
  readonly legalEntity: string | undefined;
  /** Available languages: `en`, and each with a catalogue. */
  readonly languages: readonly string[];
  /** Whether the console has an outbox. */
  readonly outbox: boolean;
  /** Only in the demo world. */
  readonly demo: { readonly logins: readonly { label: string; id: string; password: string }[] } | null;
};

/**
 * Serves the built web app. Files with a hash in their name are cached for a year; every other path outside `/api` is a
 * page of the app and gets index.html with the settings embedded.
 */
export async function serveWeb(http: Http, appInfo: () => AppInfo): Promise<void> {
  const folder = http.context.config.webDir;
  if (!existsSync(join(folder, 'index.html'))) return;
  const [head = '', tail = ''] = readFileSync(join(folder, 'index.html'), 'utf8').split('<!--app-info-->');
  const firstLoads = readFirstLoads(folder);
  const sendPage = (reply: FastifyReply, path: string) => {
    // At the end of the head, so that a page's styles follow those of the app.
    const links = firstLoads[path] ?? (path.startsWith('/operator') ? '' : (firstLoads['*'] ?? ''));
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${head}${appInfoElement(appInfo())}${tail.replace('</head>', () => `${links}</head>`)}`);
  };

  await http.fastify.register(async (scope) => {
    // Static files cannot set their own route options.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, isFile: true };
    });
    await scope.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      // Compressed files are found beside the requested file and need no routes.
      globIgnore: ['**/*.br', '**/*.gz'],
      setHeaders: (reply, path) => {
        const isHashed = path.includes(`${join(folder, 'assets')}`);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  });
  http.fastify.get('/manifest.webmanifest', hidden, (_request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(appInfo().brandName))),
  );
  http.fastify.get('/', hidden, (_request, reply) => sendPage(reply, '/'));
  http.fastify.get('/*', hidden, (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage = !path.startsWith('/api/') && !path.split('/').at(-1)?.includes('.');
    return isPage ? sendPage(reply, path) : send(reply, 'not_found', []);
  });
}

/** Preload links by path, as the build writes them (web/build/first-loads.ts). */
function readFirstLoads(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'first-loads.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/** Pages are not part of the HTTP interface that `/api/docs` describes. */
const hidden = { schema: { hide: true }, exposeHeadRoute: true };

function appInfoElement(info: AppInfo): string {
  const json = JSON.stringify(info).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="app-info">${json}</script>`;
}

/**
 * The web app manifest, with the name of this installation. It opens the dashboard, which redirects to sign-in if
 * needed.
 */
export const manifestOf = (brandName: string) => ({
  name: brandName,
  short_name: brandName.slice(0, 12),
  description: `Trade ${symbols.length} crypto pairs in a daily session. Trading can lose money. Nothing here promises a return.`,
  id: '/',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  background_color: '#0a0f17',
  theme_color: '#0a0f17',
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
});
