import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { makeReplayFolder } from '../replay-data.ts';
import { openStage } from './stage.ts';
import { ask, deposit, signIn, signUp } from './steps.ts';
import { openEmptyWorld } from './world-in-process.ts';

/** Within the time that a dialog takes to fade, when the form was still under the pointer. */
const SECOND_CLICK_MS = 160;

/** A recording that begins in the morning, at the pace of a clock: no session opens while the test runs. */
const folder = mkdtempSync(join(tmpdir(), 'tradewind-one-press-'));
const market = { MARKET_FEED: 'replay', MARKET_SPEED: '1', REPLAY_DATA: makeReplayFolder(folder) };

const stage = openStage(() => openEmptyWorld('one_press', market));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a second click 160 ms after the answer places, creates and redeems nothing', { timeout: 300_000 }, async () => {
  const { page, close } = await stage.openPage();
  await signUp(page);
  await signIn(page);
  await deposit(page, 'desktop');

  await openTrade(page);
  expect(await clickTwice(page, page.getByRole('button', { name: 'Trade Now' }), 'trading/do-trade')).toHaveLength(1);
  const { items } = await ask<{ items: unknown[] }>(page, 'trading/fetch-user-trade');
  expect(items).toHaveLength(1);

  await fillPlan(page);
  expect(await clickTwice(page, page.getByRole('button', { name: 'Create plan' }), 'trading/plans')).toHaveLength(1);
  expect((await ask<{ items: unknown[] }>(page, 'trading/plans')).items).toHaveLength(1);

  await page.getByRole('button', { name: 'Redeem' }).click();
  const redeem = page.getByRole('dialog').getByRole('button', { name: 'Redeem', exact: true });
  expect(await clickTwice(page, redeem, '/redeem')).toHaveLength(1);
  // 250 are in the trade; what was in the plan is back, once.
  const balance = await ask<{ primary_wallet: number }>(page, 'auth/wallet-balance');
  expect(balance.primary_wallet).toBe(750);
  await close();
});

async function openTrade(page: Page): Promise<void> {
  await page.goto('/dashboard?trade=btc');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$1,000.0000').first().waitFor();
  await dialog.getByRole('button', { name: '250', exact: true }).click();
}

async function fillPlan(page: Page): Promise<void> {
  await page.goto('/fund/investments/new');
  await page.getByText('$750.0000').first().waitFor();
  await page.getByRole('radio', { name: /btc/ }).check({ force: true });
  await page.getByRole('radio', { name: /Session hold/ }).check();
  await page.getByRole('radio', { name: /Reinvest gains/ }).check();
  await page.getByRole('button', { name: '250', exact: true }).click();
}

/** Clicks, waits for the answer and 160 ms more, clicks the same place again. @returns what was posted to the path. */
async function clickTwice(page: Page, button: Locator, path: string): Promise<string[]> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error('the button is on screen');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const isPost = (url: string, method: string) => method === 'POST' && url.endsWith(path);
  const posted: string[] = [];
  const note = (request: { url: () => string; method: () => string }) => {
    if (isPost(request.url(), request.method())) posted.push(request.url());
  };
  page.on('request', note);
  const answered = page.waitForResponse((response) => isPost(response.url(), response.request().method()));
  await page.mouse.click(x, y);
  expect((await answered).ok()).toBe(true);
  await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), SECOND_CLICK_MS);
  await page.mouse.click(x, y);
  // Whatever the second click begins has begun before this answer is there.
  await ask(page, 'auth/wallet-balance');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  page.off('request', note);
  return posted;
}
