import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkStep } from './page-checks.ts';
import { openStage } from './stage.ts';
import { openEmptyWorld } from './world-in-process.ts';

/** A chunk of the app that is missing after an update. */
const PART = '**/assets/terms-page-*.js';

const stage = openStage(() => openEmptyWorld('failures', { JOBS: 'off' }));

async function openPage(): Promise<{ page: Page; documents: () => number }> {
  const { page } = await stage.openPage();
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return { page, documents: () => documents };
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('a page whose chunk is missing after an update reloads by itself', async () => {
  const { page, documents } = await openPage();
  await page.route(PART, (route) => route.fulfill({ status: 404, body: '{}' }), { times: 1 });
  await page.goto('/terms');
  await page.getByRole('heading', { level: 1, name: /terms/i }).waitFor();
  expect(documents()).toBe(2);
});

test('a chunk that stays missing is reported after exactly one reload', async () => {
  const { page, documents } = await openPage();
  await page.route(PART, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.goto('/terms');
  await page.getByText('Reloading did not help.').waitFor();
  await heading(page, 'This page could not be loaded').waitFor();
  await checkStep(page, 'a missing part');
  expect(documents()).toBe(2);
});
