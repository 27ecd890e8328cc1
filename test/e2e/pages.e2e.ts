import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { ServerProcess } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { checkPages, signInAnika } from './page-checks.ts';
import { firstSignedInPages, signedOutPages } from './page-list.ts';

/**
 * Pages of the demo world, looked at by machine on a wide screen and on a phone, in the colours of both themes; the others
 * are in pages-rest.e2e.ts, so that two look at once. The world stands still: a market that goes on would only cost time.
 */
let server: ServerProcess;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemoServer('pages', { JOBS: 'off' }), openBrowser()]);
  context = await browser.newContext({ viewport: sizes.desktop, colorScheme: 'dark', baseURL: server.origin });
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

test('signed out', () => checkPages(context, signedOutPages));

test('signed in', async () => {
  await signInAnika(context);
  await checkPages(context, firstSignedInPages);
});
