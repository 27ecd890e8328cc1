import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trade } from '#contract/trading.ts';
import {
  averageOver,
  hasRecordedCandles,
  makeReplayFolder,
  pathOf,
  readCandles,
  recordedCandles,
} from '../replay-data.ts';
import { openBrowser, sizes } from './browser.ts';
import { beginJourney, endJourney, findTrade } from './journey.ts';
import { openEmptyWorld } from './world-in-process.ts';

/** The main journey on recorded prices: what the member is told was earned is computed once more from the recording. */
const made = mkdtempSync(join(tmpdir(), 'tradewind-replay-'));

type Recording = { name: string; folder: string; size: keyof typeof sizes };

const recordings: Recording[] = [
  { name: 'made', folder: makeReplayFolder(made), size: 'desktop' },
  ...(hasRecordedCandles ? [{ name: 'recorded', folder: join(recordedCandles, '1m'), size: 'mobile' } as const] : []),
];

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(made, { recursive: true, force: true });
});

test.each(recordings)(
  'on $name candles a member signs up, deposits, trades and finds the result ($size)',
  async ({ name, folder, size }) => {
    const world = await openEmptyWorld(`replay_${name}`, { MARKET_FEED: 'replay', REPLAY_DATA: folder });
    const context = await browser.newContext({
      viewport: sizes[size],
      baseURL: world.origin,
      timezoneId: 'Asia/Dubai',
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await beginJourney(page, size);
    await world.playUntil(async () => (await findTrade(page))?.state === 'settled');
    checkAgainstCandles(await endJourney(page), folder);
    expect(faults).toEqual([]);
    await context.close();
    await world.stop();
  },
);

/** Every figure of the trade once more, from the recorded candles and the product page alone. */
function checkAgainstCandles(settled: Trade, folder: string): void {
  const path = pathOf(readCandles(folder, 'btc'));
  const seconds = (instant: string | null) => new Date(instant ?? Number.NaN).getTime() / 1000;
  const openMark = path.find((tick) => tick.at === seconds(settled.opened_at))?.price ?? Number.NaN;
  expect(settled.open_price).toBeCloseTo(openMark * 1.0005, 6);
  expect(settled.close_reason).toBe('session_close');
  const closesAt = Date.parse(`${settled.opened_at?.slice(0, 10)}T17:30:00Z`) / 1000;
  expect(settled.close_price).toBeCloseTo(averageOver(path, closesAt - 60, closesAt) * 0.9995, 6);
  const proceeds = (249 * (settled.close_price as number)) / (settled.open_price as number);
  const performanceFee = Math.max(0, proceeds - 250) * 0.1;
  expect(settled.gross).toBeCloseTo(proceeds - 249, 5);
  expect(settled.performance_fee).toBeCloseTo(performanceFee, 5);
  expect(settled.result).toBeCloseTo(proceeds - 250 - performanceFee, 5);
}
