import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';

/**
 * The main journey in a real browser, on a server as a newcomer starts it: a process of its own with an embedded database
 * and a simulated market, which goes on by itself.
 */
/** Making an embedded database beside two other browsers takes longer than alone. */
const PATIENCE_SECONDS = 170;

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ MARKET_SPEED: '900' }, PATIENCE_SECONDS), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

test('a member signs up, deposits, trades and finds the result, on a desktop and on a phone', async () => {
  // Both at once: one session is waited for instead of two.
  await Promise.all([playJourney('desktop'), playJourney('mobile')]);
});

async function playJourney(size: keyof typeof sizes): Promise<void> {
  const context = await browser.newContext({
    viewport: sizes[size],
    baseURL: server.origin,
    timezoneId: 'Asia/Dubai',
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await beginJourney(page, size);
  const isSettled = async () => (await findTrade(page))?.state === 'settled';
  await expect.poll(isSettled, { timeout: 120_000, interval: 500 }).toBe(true);
  await endJourney(page);
  expect(faults).toEqual([]);
  await context.close();
}
