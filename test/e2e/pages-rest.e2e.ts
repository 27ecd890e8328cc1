import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { ServerProcess } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { checkPages, signInAnika } from './page-checks.ts';
import { otherSignedInPages } from './page-list.ts';

/** The pages that pages.e2e.ts leaves out, looked at in the same way. */
let server: ServerProcess;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemoServer('pages_rest', { JOBS: 'off' }), openBrowser()]);
  context = await browser.newContext({ viewport: sizes.desktop, colorScheme: 'dark', baseURL: server.origin });
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

test('signed in', async () => {
  await signInAnika(context);
  await checkPages(context, otherSignedInPages);
});
