import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, sizes } from './browser.ts';
import { checkStep } from './page-checks.ts';
import { openEmptyWorld, type WorldInProcess } from './world-in-process.ts';

/** What a person sees when a part of the app is gone since an update, or a page is refused. */
const LIMIT = 60;
const PART = '**/assets/terms-page-*.js';
let world: WorldInProcess;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([
    openEmptyWorld('failures', { RATE_LIMIT: String(LIMIT), JOBS: 'off' }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await world.stop();
});

async function openPage(): Promise<{ page: Page; documents: () => number }> {
  const context = await browser.newContext({ baseURL: world.origin, viewport: sizes.desktop });
  const page = await context.newPage();
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return { page, documents: () => documents };
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('a page whose part is gone since an update loads anew by itself', async () => {
  const { page, documents } = await openPage();
  await page.route(PART, (route) => route.fulfill({ status: 404, body: '{}' }), { times: 1 });
  await page.goto('/terms');
  await page.getByRole('heading', { level: 1, name: /terms/i }).waitFor();
  expect(documents()).toBe(2);
});

test('a part that stays gone is said, after one reload and no more', async () => {
  const { page, documents } = await openPage();
  await page.route(PART, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.goto('/terms');
  await page.getByText('It was tried again already.').waitFor();
  await heading(page, 'This page could not be loaded').waitFor();
  await checkStep(page, 'a missing part');
  expect(documents()).toBe(2);
});

test('past the limit a page says so and tries again', async () => {
  const { page } = await openPage();
  for (let index = 0; index <= LIMIT; index += 1) await fetch(`${world.origin}/api/v1/none`);
  const reply = await page.goto('/terms');
  expect(reply?.status()).toBe(429);
  await heading(page, 'Too many requests').waitFor();
  expect(Number(reply?.headers().refresh)).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
