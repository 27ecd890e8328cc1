import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';

/**
 * The main journey in a real browser, on a server as a newcomer starts it: a process of its own with an embedded database
 * and a simulated market, which goes on by itself.
 */
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ MARKET_SPEED: '900' }), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

test.each(['desktop', 'mobile'] as const)(
  'a member signs up, deposits, trades and finds the result (%s)',
  async (size) => {
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
  },
);
