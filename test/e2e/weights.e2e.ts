import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startDemoServer } from './demo-world.ts';
import { type Opened, openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/**
 * The size of a first visit: scripts and styles as transferred (brotli), their number, and the font. Whoever needs more
 * raises the limit here.
 */
const stage = openStage(() => startDemoServer('weights', { JOBS: 'off' }));
let opened: Opened;
beforeAll(async () => {
  opened = await stage.openPage();
});

const kB = 1000;

test('the login page stays within its limits', async () => {
  const { page, faults } = opened;
  await page.goto('/login', { waitUntil: 'networkidle' });
  // Prices are rendered when they arrive, which on a busy machine is after the network is idle.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/coins-')),
  );
  const weight = await weigh(page);
  expect(weight.bytes).toBeLessThanOrEqual(108 * kB);
  expect(weight.files.length, weight.files.join()).toBeLessThanOrEqual(12);
  expect(weight.fonts).toHaveLength(1);
  expect(weight.fonts[0]).toBeLessThanOrEqual(32 * kB);
  expect(weight.icons).toBe(1);
  expect(faults).toEqual([]);
});

test('the login page is rendered before any call is answered', async () => {
  const { context } = opened;
  const page = await context.newPage();
  await page.route('**/api/**', () => {});
  await page.goto('/login');
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await page.close();
});

test('the dashboard stays within its limits', async () => {
  await signInAs(opened.page);
  // Signed in as well, in a browser with an empty cache.
  const { page, close } = await stage.openPage({ storageState: await opened.context.storageState() });
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const weight = await weigh(page);
  expect(weight.bytes).toBeLessThanOrEqual(218 * kB);
  expect(weight.files.length, weight.files.join()).toBeLessThanOrEqual(26);
  await close();
});

async function weigh(page: Page) {
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
      path: new URL(name).pathname,
      bytes: encodedBodySize,
    })),
  );
  // A file used twice is loaded once.
  const listOf = (pattern: RegExp) =>
    new Map(loaded.filter(({ path }) => pattern.test(path)).map(({ path, bytes }) => [path, bytes]));
  const files = listOf(/\.(js|css)$/);
  const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
  // A file without a size would go unnoticed.
  expect([...files].filter(([, size]) => size === 0)).toEqual([]);
  const fonts = [...listOf(/\.woff2$/).values()];
  const icons = listOf(/\/(assets\/coins-[^/]+|icons\/\w+)\.svg$/).size;
  return { bytes, files: [...files.keys()], fonts, icons };
}
